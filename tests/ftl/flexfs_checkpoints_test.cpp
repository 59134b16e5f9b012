// Checkpoints of FlexFS: which segments they take, what becomes of them when these fail or cannot be read, and what a
// mount makes of a part without any.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/fixtures/used_flexfs.h"

namespace ftlab::tests {
namespace {

/// A page, which brings a checkpoint where each one does, and a trim.
FtlStatus write_and_trim(FlexFsSession& session, PageOracle& oracle, const RandomHost& host) {
  std::vector<std::byte> page;
  oracle.begin_write(PageOracle::kUnits, PageOracle::kUnits, page);
  if (const FtlStatus s = session->write(512, page, {}, host.now_ns()); s != FtlStatus::ok) return s;
  oracle.acknowledge();
  oracle.begin_trim(1, 1);
  if (const FtlStatus s = session->trim(512, 512, host.now_ns()); s != FtlStatus::ok) return s;
  oracle.acknowledge();
  const FtlStatus status = session->flush(host.now_ns());
  if (status == FtlStatus::ok) oracle.acknowledge_flush();
  return status;
}

TEST(FlexFsCheckpoints, checkpoint_segments_are_replaced_until_no_segment_is_left) {
  UsedFlexFs used(41, "la", roomy_part(), 1);
  FtlStatus status = FtlStatus::ok;
  std::uint32_t rounds = 0;
  for (; rounds < 200 && status == FtlStatus::ok; ++rounds) {
    // Now a program fails, now an erase, now of a checkpoint, now of another segment.
    used.flash.fail_at(1 + rounds % 9);
    for (int i = 0; i < 12 && status == FtlStatus::ok; ++i)
      status = write_and_trim(used.session, used.oracle, used.host);
    ASSERT_STREQ(used.session->self_check(), nullptr) << "round " << rounds;
    if (status == FtlStatus::ok && rounds % 2 == 0) used.remount_and_check();
    if (testing::Test::HasFailure()) FAIL() << "round " << rounds;
  }
  EXPECT_GT(rounds, 10U);
  EXPECT_GT(used.session->flexfs_stats().checkpoints, 0U);
  EXPECT_EQ(status, FtlStatus::read_only);
  std::vector<std::byte> page(512);
  EXPECT_EQ(used.session->write(0, page, {}, used.host.now_ns()), FtlStatus::read_only);
  EXPECT_EQ(used.session->read(0, page, used.host.now_ns()), FtlStatus::ok);
  EXPECT_STREQ(used.session->self_check(), nullptr);
}

TEST(FlexFsCheckpoints, a_checkpoint_knows_the_page_whose_eviction_it_is_due_with) {
  for (const char* scheme : {"la", "slc_only", "mlc_only"}) {
    EmulatedNand flash(roomy_part());
    const FlexFsConfig config = UsedFlexFs::config_of(scheme, 100);
    FlexFsSession session(flash, config);
    ASSERT_EQ(session->format(0), FtlStatus::ok);
    const std::vector<std::byte> page(512, std::byte{5});
    const std::vector<std::byte> part(100, std::byte{6});
    for (std::uint32_t i = 0; i + 1 < config.checkpoint_every; ++i)
      ASSERT_EQ(session->write((1 + i % 8) * 512U, page, {}, 0), FtlStatus::ok);
    ASSERT_EQ(session->write(20 * 512U, part, {}, 0), FtlStatus::ok);
    ASSERT_EQ(session->trim(1 * 512U, 512, 0), FtlStatus::ok);
    ASSERT_EQ(session->flexfs_stats().checkpoints, 0U);
    ASSERT_EQ(session->flush(0), FtlStatus::ok);
    ASSERT_EQ(session->flexfs_stats().checkpoints, 1U) << scheme;
    for (std::uint32_t id = 2; id < flash.geometry().segments; ++id)
      if (session->segment(SegmentId{id}).valid_pages > 0) flash.scramble(id);
    FlexFsSession next(flash, config);
    ASSERT_EQ(next->mount(0), FtlStatus::ok);
    std::vector<std::byte> got(512);
    EXPECT_EQ(next->read(20 * 512U, got, 0), FtlStatus::read_failed) << scheme;
    EXPECT_EQ(next->read(1 * 512U, got, 0), FtlStatus::ok) << scheme;
    EXPECT_EQ(got, std::vector<std::byte>(512, std::byte{0xFF})) << scheme;
  }
}

TEST(FlexFsCheckpoints, erases_for_checkpoints_are_counted_once) {
  UsedFlexFs used(42, "la", roomy_part(), 1);
  const FtlStats before = used.session->stats();
  const std::uint64_t checkpoints = used.session->flexfs_stats().checkpoints;
  const std::uint64_t erases = used.flash.erases();
  for (int i = 0; i < 40; ++i) ASSERT_EQ(used.session->write(0, std::vector<std::byte>(512), {}, 0), FtlStatus::ok);
  EXPECT_EQ(used.session->flexfs_stats().checkpoints, checkpoints + 40);
  const FtlStats after = used.session->stats();
  EXPECT_GT(after.log_erases, before.log_erases);
  EXPECT_EQ(after.erases - before.erases + after.log_erases - before.log_erases, used.flash.erases() - erases);
}

TEST(FlexFsCheckpoints, a_lost_page_of_the_checkpoints_costs_nothing) {
  UsedFlexFs used(47, "la", roomy_part(), 50);
  const auto mounted = [&](const std::string& what) {
    FlexFsSession next(used.flash, used.config);
    ASSERT_EQ(next->mount(0), FtlStatus::ok) << what;
    EXPECT_STREQ(next->self_check(), nullptr) << what;
    PageOracle oracle = used.oracle;
    EXPECT_EQ(oracle.check_live(*next), "") << what;
  };
  ASSERT_EQ(used.session->flush(used.host.now_ns()), FtlStatus::ok);
  const EmulatedNand::Image whole = used.flash.snapshot();
  std::uint32_t lost = 0;
  for (std::uint32_t id = 0; id < used.session->segments(); ++id) {
    // In use, and without pages of the host: a checkpoint's.
    const SegmentInfo info = used.session->segment(SegmentId{id});
    if (info.state != SegmentState::open || info.used_pages > 0) continue;
    for (std::uint32_t page = 0; page < 16; ++page) {
      if (used.flash.page_state(id, page) == EmulatedNand::PageState::blank) continue;
      used.flash.lose_page(id, page);
      ++lost;
      mounted("page " + std::to_string(page));
      used.flash.restore(whole);
    }
    used.flash.scramble(id);
    mounted("all of it");
    used.flash.restore(whole);
  }
  EXPECT_GT(lost, 1U);
}

TEST(FlexFsCheckpoints, a_part_that_is_blank_or_full_of_noise_is_mounted_as_an_empty_volume) {
  for (const bool noise : {false, true}) {
    EmulatedNand flash(roomy_part());
    for (std::uint32_t id = 0; noise && id < flash.geometry().segments; ++id) flash.scramble(id);
    const FlexFsConfig config = small_flexfs();
    FlexFsSession session(flash, config);
    ASSERT_EQ(session->mount(0), FtlStatus::ok);
    EXPECT_STREQ(session->self_check(), nullptr);
    PageOracle oracle(config.logical_pages, 512, kPartsNeedFlush);
    EXPECT_EQ(oracle.check_live(*session), "");
    RandomHost host(48);
    for (int i = 0; i < 300; ++i) ASSERT_EQ(host.step(*session, oracle), FtlStatus::ok);
    EXPECT_EQ(oracle.check_live(*session), "");
  }
}

TEST(FlexFsCheckpoints, a_smaller_volume_reads_the_pages_of_a_larger_one_that_it_has) {
  UsedFlexFs used(40, "la", roomy_part(), 50);
  ASSERT_EQ(used.session->flush(used.host.now_ns()), FtlStatus::ok);
  FlexFsConfig other = used.config;
  --other.logical_pages;
  FlexFsSession smaller(used.flash, other);
  ASSERT_EQ(smaller->mount(0), FtlStatus::ok);
  EXPECT_STREQ(smaller->self_check(), nullptr);
  std::vector<std::byte> page(512);
  std::vector<std::byte> expected(512);
  for (std::uint64_t at = 0; at < smaller->capacity_bytes(); at += 512) {
    ASSERT_EQ(used.session->read(at, expected, 0), FtlStatus::ok);
    EXPECT_EQ(smaller->read(at, page, 0), FtlStatus::ok) << at;
    // What trimmed pages were is said by a page that it does not have.
    if (std::ranges::count(expected, std::byte{0xFF}) == 512) continue;
    EXPECT_EQ(page, expected) << at;
  }
}

TEST(FlexFsCheckpoints, idle_time_writes_one_before_reads_make_a_write_wait_for_it) {
  // With the 64th read of a segment one is due.
  constexpr std::uint32_t kReads = 64;
  EmulatedNand flash(roomy_part());
  FlexFsOnPart config{small_flexfs()};
  config.refresh.reads = 64 * kReads;
  config.checkpoint_every = 10'000;
  MountSession<FlexFsLayer, FlexFsOnPart> session(flash, config);
  ASSERT_EQ(session->format(0), FtlStatus::ok);
  std::vector<std::byte> page(512, std::byte{5});
  std::uint64_t now_ns = 0;
  const auto read = [&](std::uint32_t times) {
    for (std::uint32_t i = 0; i < times; ++i) ASSERT_EQ(session->read(0, page, now_ns), FtlStatus::ok);
  };
  const auto write = [&] { ASSERT_EQ(session->write(0, page, {}, now_ns), FtlStatus::ok); };
  const auto rest = [&] {
    (void)session->idle(now_ns, now_ns + 2 * config.wait_ns);
    now_ns += config.wait_ns;
    (void)session->idle(now_ns, now_ns + config.wait_ns);
  };
  write();
  read(kReads / 2);
  rest();
  EXPECT_EQ(session->flexfs_stats().checkpoints, 0U) << "half of them cost nothing";
  read(kReads / 2 - 1);
  EXPECT_EQ(session->flexfs_stats().checkpoints, 0U) << "no read waits for one";
  rest();
  EXPECT_EQ(session->flexfs_stats().checkpoints, 1U);
  read(kReads - 1);
  const std::uint64_t programs = flash.programs();
  write();
  EXPECT_EQ(flash.programs(), programs + 1) << "the write waits for its own page alone";
  // Where nothing rests meanwhile the write has to.
  write();
  read(1);
  write();
  EXPECT_EQ(session->flexfs_stats().checkpoints, 2U);
}

}  // namespace
}  // namespace ftlab::tests
