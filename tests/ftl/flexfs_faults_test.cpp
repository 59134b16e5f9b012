// Bad segments, failing programs and erases, bit errors: what becomes of them. That data stays is what campaigns try.
#include <gtest/gtest.h>

#include <vector>

#include "tests/fixtures/used_flexfs.h"

namespace ftlab::tests {
namespace {

TEST(FlexFsFaults, a_failed_segment_is_marked_bad_once_its_pages_have_moved_although_an_erase_would_do) {
  EmulatedNandOptions part = roomy_part();
  part.marks_on_failed = true;
  part.faults.refuse_ever_after = false;
  UsedFlexFs used(33, "la", part);
  used.flash.fail_at(1);
  used.run(150);
  EXPECT_EQ(used.session->stats().bad_segments, 1U);
  std::uint32_t marked = 0;
  for (std::uint32_t id = 0; id < used.session->segments(); ++id) marked += used.flash.is_bad(id) ? 1U : 0U;
  EXPECT_EQ(marked, 1U);
  used.remount_and_check();
}

TEST(FlexFsFaults, data_with_bit_errors_moves_in_idle_time) {
  UsedFlexFs used(36);
  ASSERT_EQ(used.session->flush(used.host.now_ns()), FtlStatus::ok);
  std::uint32_t victim = 0;
  for (std::uint32_t id = 0; id < used.session->segments(); ++id) {
    const SegmentInfo info = used.session->segment(SegmentId{id});
    if (info.state == SegmentState::sealed && info.stream == 1 && info.valid_pages > 3) victim = id;
  }
  ASSERT_NE(victim, 0U);
  for (std::uint32_t page = 0; page < 16; ++page) used.flash.wear_page(victim, page, 3);
  const std::uint32_t erases = used.flash.erase_count(victim);
  EXPECT_EQ(used.oracle.check_live(*used.session), "");
  const std::uint64_t refreshed = used.session->flexfs_stats().refreshed_pages;
  const std::uint64_t until = used.host.now_ns() + 60'000'000'000;
  const std::uint32_t valid = used.session->segment(SegmentId{victim}).valid_pages;
  const std::uint64_t begin = used.session->idle(used.host.now_ns(), until);
  EXPECT_EQ(used.session->flexfs_stats().refreshed_pages, refreshed);
  EXPECT_EQ(used.session->idle(begin, until), begin + used.config.trigger_ns);
  EXPECT_EQ(used.session->flexfs_stats().refreshed_pages, refreshed + valid) << "all of them at once";
  EXPECT_EQ(used.flash.erase_count(victim), erases + 1);
  EXPECT_STREQ(used.session->self_check(), nullptr);
  EXPECT_EQ(used.oracle.check_live(*used.session), "");
}

TEST(FlexFsFaults, a_part_of_a_lost_page_is_reported_by_the_flush_and_blocks_nothing) {
  UsedFlexFs used(45);
  ASSERT_EQ(used.session->flush(used.host.now_ns()), FtlStatus::ok);
  for (std::uint32_t id = 0; id < used.session->segments(); ++id) {
    const SegmentInfo info = used.session->segment(SegmentId{id});
    if (info.state != SegmentState::sealed || info.stream != 1) continue;
    for (std::uint32_t page = 0; page < 16; ++page) used.flash.lose_page(id, page);
  }
  std::vector<std::uint64_t> lost;
  std::vector<std::byte> page(512);
  for (std::uint64_t at = 0; at < used.session->capacity_bytes(); at += 512)
    if (used.session->read(at, page, used.host.now_ns()) == FtlStatus::read_failed) lost.push_back(at);
  ASSERT_GT(lost.size(), 2U);
  const std::vector<std::byte> whole(512, std::byte{7});
  const std::vector<std::byte> part(100, std::byte{8});
  ASSERT_EQ(used.session->write(lost[1], whole, {}, used.host.now_ns()), FtlStatus::ok);
  ASSERT_EQ(used.session->write(lost[0], part, {}, used.host.now_ns()), FtlStatus::ok);
  ASSERT_EQ(used.session->write(lost[1], part, {}, used.host.now_ns()), FtlStatus::ok) << "another page";
  EXPECT_EQ(used.session->flush(used.host.now_ns()), FtlStatus::read_failed) << "the host must know";
  EXPECT_EQ(used.session->flexfs_stats().lost_writes, 1U);
  EXPECT_EQ(used.session->flush(used.host.now_ns()), FtlStatus::ok) << "once";
  ASSERT_EQ(used.session->read(lost[1], page, used.host.now_ns()), FtlStatus::ok);
  EXPECT_EQ(page[0], std::byte{8});
  EXPECT_EQ(page[200], std::byte{7});
  EXPECT_EQ(used.session->read(lost[0], page, used.host.now_ns()), FtlStatus::read_failed);
  EXPECT_STREQ(used.session->self_check(), nullptr);
}

TEST(FlexFsFaults, segments_with_lost_pages_come_back_once_these_are_written_again) {
  for (const char* scheme : {"la", "bm", "mlc_only"}) {
    UsedFlexFs used(46, scheme);
    const std::vector<std::byte> page(512, std::byte{9});
    std::uint64_t now = used.host.now_ns();
    for (int round = 0; round < 8; ++round) {
      ASSERT_EQ(used.session->flush(now), FtlStatus::ok);
      for (std::uint32_t id = 0; id < used.session->segments(); ++id)
        if (used.session->segment(SegmentId{id}).state == SegmentState::sealed) used.flash.lose_page(id, 2);
      for (std::uint32_t i = 0; i < 600; ++i) {
        ASSERT_EQ(used.session->write(i * 7 % 200 * 512, page, {}, ++now), FtlStatus::ok) << scheme << " " << round;
      }
    }
    EXPECT_STREQ(used.session->self_check(), nullptr);
  }
}

}  // namespace
}  // namespace ftlab::tests
