// Bad segments, failing programs and erases, bit errors: what becomes of them. That data stays is what campaigns try.
#include <gtest/gtest.h>

#include <vector>

#include "tests/fixtures/torn_write.h"
#include "tests/fixtures/used_flexfs.h"

namespace ftlab::tests {
namespace {

TEST(FlexFsFaults, many_failures_in_a_row_are_survived) {
  UsedFlexFs used(32);
  for (int i = 0; i < 10; ++i) {
    std::uint32_t open = 0;
    for (std::uint32_t id = 0; id < used.session->segments(); ++id) {
      const SegmentInfo info = used.session->segment(SegmentId{id});
      if (info.state == SegmentState::open && info.used_pages > 0) open = id;
    }
    used.flash.fail_at(3, open);
    used.run(60);
  }
  EXPECT_GE(used.session->stats().bad_segments, 5U);
  used.remount_and_check();
}

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

/// Loses power in each erase and each bad-block marker of a segment that failed, and works on with what is left.
class LossesInMarkers final : public ChangeWatcher {
 public:
  LossesInMarkers(UsedFlexFs& used, const EmulatedNandOptions& part) : used_(used), part_(part) {
    used_.flash.watch(this);
  }
  LossesInMarkers(const LossesInMarkers&) = delete;
  LossesInMarkers& operator=(const LossesInMarkers&) = delete;
  ~LossesInMarkers() { used_.flash.watch(nullptr); }

  void before_change(const PartOp& op) override {
    const bool marker = op.kind == PartOpKind::mark_bad || op.kind == PartOpKind::erase;
    if (!marker || !used_.flash.has_failed(op.segment.value())) return;
    for (const TornWrite torn : kTornWrites) {
      ++losses;
      EmulatedNand flash(part_);
      flash.lose_power_of(used_.flash, op, torn, 1);
      PageOracle oracle = used_.oracle;
      RandomHost host = used_.host;
      FlexFsSession session(flash, used_.config);
      ASSERT_EQ(session->mount(host.now_ns()), FtlStatus::ok);
      for (int i = 0; i < 60; ++i) ASSERT_EQ(host.step(*session, oracle), FtlStatus::ok);
      ASSERT_EQ(flash.breach(), nullptr) << static_cast<int>(torn);
    }
  }

  int losses = 0;

 private:
  UsedFlexFs& used_;
  EmulatedNandOptions part_;
};

TEST(FlexFsFaults, power_lost_in_the_marker_of_a_segment_that_failed_leaves_none_that_is_filled_further) {
  EmulatedNandOptions part = roomy_part();
  part.marks_on_failed = true;
  part.on_breach = OnBreach::power_off;
  part.faults.refuse_ever_after = false;
  int losses = 0;
  for (const FailureTrace trace : kFailureTraces) {
    part.faults.trace = trace;
    for (std::uint64_t at = 1; at < 60; at += 3) {
      UsedFlexFs used(34, "la", part);
      used.flash.fail_at(at);
      LossesInMarkers watcher(used, part);
      used.run(150);
      ASSERT_FALSE(testing::Test::HasFailure()) << "fault " << at;
      losses += watcher.losses;
    }
  }
  EXPECT_GT(losses, 100);
}

TEST(FlexFsFaults, segments_bad_from_the_factory_are_never_used) {
  EmulatedNand flash(roomy_part());
  flash.mark_initial_bad(1);
  flash.mark_initial_bad(9);
  flash.mark_initial_bad(20);
  const FlexFsConfig config = small_flexfs("la");
  FlexFsSession session(flash, config);
  ASSERT_EQ(session->format(0), FtlStatus::ok);
  PageOracle oracle(config.logical_pages, 512, kPartsNeedFlush);
  RandomHost host(34);
  for (int i = 0; i < 600; ++i) ASSERT_EQ(host.step(*session, oracle), FtlStatus::ok);
  for (const std::uint32_t id : {9U, 20U}) {
    EXPECT_EQ(session->segment(SegmentId{id}).state, SegmentState::bad);
    EXPECT_EQ(flash.erase_count(id), 0U);
  }
  EXPECT_EQ(oracle.check_live(*session), "");
  ASSERT_EQ(session->flush(host.now_ns()), FtlStatus::ok);
  FlexFsSession next(flash, config);
  ASSERT_EQ(next->mount(0), FtlStatus::ok);
  EXPECT_EQ(oracle.check_mounted(*next), "");
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

TEST(FlexFsFaults, lost_data_is_reported_and_the_rest_goes_on) {
  UsedFlexFs used(37);
  ASSERT_EQ(used.session->flush(used.host.now_ns()), FtlStatus::ok);
  std::uint32_t victim = 0;
  for (std::uint32_t id = 0; id < used.session->segments(); ++id)
    if (used.session->segment(SegmentId{id}).state == SegmentState::sealed &&
        used.session->segment(SegmentId{id}).valid_pages > 3)
      victim = id;
  ASSERT_NE(victim, 0U);
  for (std::uint32_t page = 0; page < 16; ++page) used.flash.lose_page(victim, page);
  std::vector<std::byte> page(512);
  std::uint32_t lost = 0;
  for (std::uint64_t at = 0; at < used.session->capacity_bytes(); at += 512)
    if (used.session->read(at, page, used.host.now_ns()) == FtlStatus::read_failed) ++lost;
  // One of its pages may name trimmed ones.
  const std::uint32_t records = volume::trim_records(used.config.logical_pages, flexfs_geometry(used.flash));
  ASSERT_EQ(records, 1U);
  EXPECT_LE(lost, used.session->segment(SegmentId{victim}).valid_pages);
  EXPECT_GE(lost + records, used.session->segment(SegmentId{victim}).valid_pages);
  // Whole pages only: a part cannot be merged with what is lost.
  for (std::uint32_t i = 0; i < 500; ++i)
    ASSERT_EQ(used.session->write(i % 200 * 512, page, {}, used.host.now_ns() + i), FtlStatus::ok);
  EXPECT_STREQ(used.session->self_check(), nullptr);
  for (std::uint64_t at = 0; at < used.session->capacity_bytes(); at += 512)
    EXPECT_EQ(used.session->read(at, page, used.host.now_ns()), FtlStatus::ok) << at;
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

TEST(FlexFsFaults, a_trim_is_durable_when_acknowledged) {
  UsedFlexFs used(38);
  ASSERT_EQ(used.session->flush(used.host.now_ns()), FtlStatus::ok);
  used.oracle.acknowledge_flush();
  used.oracle.begin_trim(0, 50);
  ASSERT_EQ(used.session->trim(0, 50 * 512, used.host.now_ns()), FtlStatus::ok);
  used.oracle.acknowledge();
  used.flash.power_cycle();
  FlexFsSession next(used.flash, used.config);
  ASSERT_EQ(next->mount(0), FtlStatus::ok);
  EXPECT_EQ(used.oracle.check_mounted(*next), "");
}

TEST(FlexFsFaults, requests_beyond_the_capacity_are_refused) {
  UsedFlexFs used(39);
  std::vector<std::byte> page(512);
  EXPECT_EQ(used.session->write(used.session->capacity_bytes(), page, {}, 0), FtlStatus::out_of_range);
  EXPECT_EQ(used.session->read(UINT64_MAX, page, 0), FtlStatus::out_of_range);
  EXPECT_EQ(used.session->trim(1, UINT64_MAX, 0), FtlStatus::out_of_range);
}

TEST(FlexFsFaults, requests_before_a_format_or_a_mount_are_refused) {
  EmulatedNand blank(roomy_part());
  FlexFsSession session(blank, small_flexfs());
  std::vector<std::byte> page(512);
  EXPECT_EQ(session->read(0, page, 0), FtlStatus::not_formatted);
  EXPECT_EQ(session->write(0, page, {}, 0), FtlStatus::not_formatted);
  EXPECT_EQ(session->trim(0, 512, 0), FtlStatus::not_formatted);
  EXPECT_EQ(session->flush(0), FtlStatus::not_formatted);
}

}  // namespace
}  // namespace ftlab::tests
