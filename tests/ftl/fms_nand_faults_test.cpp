// The FMS on NAND with pages and segments that fail: what becomes of them, and what is about to be lost moves in time.
// That data stays is what campaigns try.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/fixtures/fms_nand_fixture.h"

namespace ftlab::tests {
namespace {

/// Counts the segments cleaned to refresh their data.
class CauseProbe final : public ProbePort {
 public:
  Cause set_cause(Cause cause) override { return std::exchange(cause_, cause); }
  [[nodiscard]] Cause cause() const override { return cause_; }
  void count(Work kind, std::uint32_t) override {
    if (kind == Work::segment_clean && cause_ == Cause::refresh) ++refreshes;
  }
  int refreshes = 0;

 private:
  Cause cause_ = Cause::host;
};

void work(NandVolume& v, FmsSession& session, int requests) {
  for (int i = 0; i < requests; ++i) {
    ASSERT_EQ(v.host.step(*session, v.oracle), FtlStatus::ok) << "request " << i;
    ASSERT_EQ(session->self_check(), nullptr) << "request " << i;
  }
}

std::uint32_t count_bad(const Ftl& ftl) {
  std::uint32_t bad = 0;
  for (std::uint32_t s = 0; s < ftl.segments(); ++s)
    bad += ftl.segment(SegmentId{s}).state == SegmentState::bad ? 1U : 0U;
  return bad;
}

std::uint32_t segment_being_filled(const Ftl& ftl) {
  for (std::uint32_t s = 0; s < ftl.segments(); ++s)
    if (ftl.segment(SegmentId{s}).state == SegmentState::open) return s;
  return 0;
}

TEST(FmsNandFaults, a_segment_whose_program_failed_is_drained_and_marked_bad_although_an_erase_would_do) {
  EmulatedNandOptions part = small_nand();
  part.marks_on_failed = true;
  part.faults.refuse_ever_after = false;
  NandVolume v(part);
  ASSERT_EQ(v.session->format(0), FtlStatus::ok);
  work(v, v.session, 200);
  v.flash.fail_at(1, segment_being_filled(*v.session));
  work(v, v.session, 200);
  EXPECT_EQ(v.flash.bad_block_markers(), 1U);
  EXPECT_EQ(v.session->stats().bad_segments, 1U);
  EXPECT_EQ(count_bad(*v.session), 1U);
  ASSERT_EQ(v.host.trim_first_page(*v.session, v.oracle), FtlStatus::ok);
  ASSERT_EQ(v.session->flush(0), FtlStatus::ok);
  v.oracle.acknowledge_flush();
  FmsSession next(v.flash, v.config);
  ASSERT_EQ(next->mount(0), FtlStatus::ok);
  EXPECT_EQ(count_bad(*next), 1U);
  EXPECT_EQ(v.oracle.check_mounted(*next), "");
}

TEST(FmsNandFaults, a_segment_that_failed_stays_bad_without_its_mark) {
  NandVolume v;
  ASSERT_EQ(v.session->format(0), FtlStatus::ok);
  work(v, v.session, 200);
  v.flash.fail_at(1, segment_being_filled(*v.session));
  work(v, v.session, 200);
  ASSERT_EQ(count_bad(*v.session), 1U);
  for (std::uint32_t s = 0; s < v.session->segments(); ++s)
    EXPECT_FALSE(v.flash.is_bad(s)) << "worn cells take no mark";
  ASSERT_EQ(v.host.trim_first_page(*v.session, v.oracle), FtlStatus::ok);
  ASSERT_EQ(v.session->flush(0), FtlStatus::ok);
  v.oracle.acknowledge_flush();
  const std::uint64_t marks = v.flash.bad_block_markers();
  FmsSession next(v.flash, v.config);
  ASSERT_EQ(next->mount(0), FtlStatus::ok);
  EXPECT_EQ(count_bad(*next), 1U);
  work(v, next, 200);
  EXPECT_EQ(v.flash.bad_block_markers(), marks) << "the checkpoint knows it: never tried again";
  EXPECT_EQ(v.oracle.check_live(*next), "");
}

/// Loses power in each erase and each bad-block marker of a segment that failed, and works on with what is left.
class LossesInMarkers final : public ChangeWatcher {
 public:
  explicit LossesInMarkers(NandVolume& volume, const EmulatedNandOptions& part) : volume_(volume), part_(part) {
    volume_.flash.watch(this);
  }
  LossesInMarkers(const LossesInMarkers&) = delete;
  LossesInMarkers& operator=(const LossesInMarkers&) = delete;
  ~LossesInMarkers() { volume_.flash.watch(nullptr); }

  void before_change(const FlashOp& op) override {
    const bool marker = op.kind == FlashOpKind::mark_bad || op.kind == FlashOpKind::erase;
    if (!marker || !volume_.flash.has_failed(op.segment.value())) return;
    for (const TornWrite torn : kTornWrites) {
      ++losses;
      EmulatedNand flash(part_);
      flash.lose_power_of(volume_.flash, op, torn, 1);
      PageOracle oracle = volume_.oracle;
      RandomHost host = volume_.host;
      FmsSession session(flash, volume_.config);
      ASSERT_EQ(session->mount(0), FtlStatus::ok);
      ASSERT_EQ(oracle.check_mounted(*session), "");
      for (int i = 0; i < 60; ++i) ASSERT_EQ(host.step(*session, oracle), FtlStatus::ok);
      ASSERT_EQ(flash.breach(), nullptr) << static_cast<int>(torn);
    }
  }

  int losses = 0;

 private:
  NandVolume& volume_;
  EmulatedNandOptions part_;
};

TEST(FmsNandFaults, power_lost_in_the_marker_of_a_segment_that_failed_leaves_none_that_is_filled_further) {
  EmulatedNandOptions part = small_nand();
  part.marks_on_failed = true;
  part.on_breach = OnBreach::power_off;
  part.faults.refuse_ever_after = false;
  int losses = 0;
  for (const FailureTrace trace : kFailureTraces) {
    part.faults.trace = trace;
    for (std::uint64_t at = 1; at < 60; ++at) {
      NandVolume v(part);
      ASSERT_EQ(v.session->format(0), FtlStatus::ok);
      work(v, v.session, 100);
      v.flash.fail_at(at);
      LossesInMarkers watcher(v, part);
      work(v, v.session, 60);
      ASSERT_FALSE(HasFailure()) << "fault " << at;
      losses += watcher.losses;
    }
  }
  EXPECT_GT(losses, 500);
}

TEST(FmsNandFaults, segments_bad_from_the_factory_are_never_touched) {
  EmulatedNandOptions part = small_nand();
  NandVolume v(part, nand_config(120));
  for (const std::uint32_t bad : {1U, 7U, 23U}) v.flash.mark_initial_bad(bad);
  ASSERT_EQ(v.session->format(0), FtlStatus::ok);
  work(v, v.session, 600);
  EXPECT_EQ(v.session->stats().bad_segments, 3U);
  FmsSession next(v.flash, v.config);
  ASSERT_EQ(next->mount(0), FtlStatus::ok);
  EXPECT_EQ(v.oracle.check_mounted(*next), "");
  EXPECT_EQ(count_bad(*next), 3U);
}

/// A full segment with data in it; 0 when there is none.
std::uint32_t segment_in_use(Fms& fms) {
  for (std::uint32_t s = 0; s < fms.segments(); ++s)
    if (fms.segment(SegmentId{s}).state == SegmentState::sealed && fms.segment(SegmentId{s}).valid_pages > 4) return s;
  return 0;
}

TEST(FmsNandFaults, a_checkpoint_segment_that_fails_during_a_format_is_made_up_for) {
  std::uint32_t failed = 0;
  for (const std::uint32_t segment : {0U, 1U}) {
    for (std::uint64_t fault = 1; fault <= 6; ++fault) {
      NandVolume v;
      ASSERT_EQ(v.session->format(0), FtlStatus::ok);
      work(v, v.session, 100);
      v.flash.fail_at(fault, segment);
      FmsSession again(v.flash, v.config);
      ASSERT_EQ(again->format(0), FtlStatus::ok) << "segment " << segment << " fault " << fault;
      const std::vector<std::byte> page(512, std::byte{7});
      for (std::uint32_t i = 0; i < 200; ++i) ASSERT_EQ(again->write(i % 20 * 512, page, {}, 1), FtlStatus::ok);
      ASSERT_EQ(again->self_check(), nullptr);
      FmsSession next(v.flash, v.config);
      ASSERT_EQ(next->mount(0), FtlStatus::ok);
      std::vector<std::byte> got(512);
      ASSERT_EQ(next->read(0, got, 1), FtlStatus::ok);
      EXPECT_EQ(got, page);
      failed += v.flash.has_failed(segment) ? 1U : 0U;
    }
  }
  EXPECT_GT(failed, 6U);
}

TEST(FmsNandRefresh, moves_the_data_of_a_segment_with_many_bit_errors) {
  for (const std::uint8_t bits : {std::uint8_t{2}, std::uint8_t{3}, std::uint8_t{4}, kRecovered}) {
    NandVolume v;
    CauseProbe probe;
    FmsSession session(v.flash, v.config, &probe);
    ASSERT_EQ(session->format(0), FtlStatus::ok);
    work(v, session, 150);
    const std::uint32_t worn = segment_in_use(*session);
    ASSERT_NE(worn, 0U);
    for (std::uint32_t page = 0; page < 15; ++page) v.flash.wear_page(worn, page, bits);
    ASSERT_EQ(v.oracle.check_live(*session), "");  // reads every page
    const std::uint32_t erases = v.flash.erase_count(worn);
    EXPECT_EQ(probe.refreshes, 0);
    session->idle(v.host.now_ns(), v.host.now_ns() + 5'000'000'000);
    EXPECT_EQ(probe.refreshes, bits >= 3 ? 1 : 0) << int{bits};
    EXPECT_EQ(v.flash.erase_count(worn), erases + (bits >= 3 ? 1 : 0)) << int{bits};
    EXPECT_EQ(session->self_check(), nullptr);
    EXPECT_EQ(v.oracle.check_live(*session), "");
  }
}

TEST(FmsNandRefresh, happens_without_idle_time_once_a_segment_is_full) {
  NandVolume v;
  CauseProbe probe;
  FmsSession session(v.flash, v.config, &probe);
  ASSERT_EQ(session->format(0), FtlStatus::ok);
  work(v, session, 150);
  const std::uint32_t worn = segment_in_use(*session);
  for (std::uint32_t page = 0; page < 15; ++page) v.flash.wear_page(worn, page, 4);
  ASSERT_EQ(v.oracle.check_live(*session), "");
  work(v, session, 40);
  EXPECT_GE(probe.refreshes, 1);
}

TEST(FmsNandRefresh, moves_pages_that_only_the_recovery_read_saved_after_power_loss) {
  const auto recovered_in = [](const EmulatedNand& flash, std::uint32_t segment) {
    int pages = 0;
    for (std::uint32_t page = 0; page < 16; ++page)
      pages += flash.page_state(segment, page) == EmulatedNand::PageState::recovered ? 1 : 0;
    return pages;
  };
  int spoiled = 0;
  for (std::uint64_t loss = 1; loss < 40; ++loss) {
    NandVolume v;
    ASSERT_EQ(v.session->format(0), FtlStatus::ok);
    work(v, v.session, 150);
    v.flash.lose_power_at(loss, TornWrite::half);
    while (v.host.step(*v.session, v.oracle) == FtlStatus::ok) {
    }
    v.flash.power_cycle();
    for (std::uint32_t s = 2; s < v.flash.geometry().segments; ++s) spoiled += recovered_in(v.flash, s);
    FmsSession session(v.flash, v.config);
    ASSERT_EQ(session->mount(0), FtlStatus::ok);
    ASSERT_EQ(v.oracle.check_mounted(*session), "");
    // Until the segment is full; then one idle moment is enough.
    constexpr std::uint32_t kOwnTags = 1'000'000;
    std::vector<std::byte> page;
    for (std::uint32_t i = 0; i < 40; ++i) {
      v.oracle.begin_write(i % 20 * PageOracle::kUnits, PageOracle::kUnits, kOwnTags + i, page);
      ASSERT_EQ(session->write(i % 20 * 512U, page, {}, 0), FtlStatus::ok);
      v.oracle.acknowledge();
      session->idle(0, 5'000'000'000);
    }
    EXPECT_EQ(v.oracle.check_live(*session), "") << loss;
    for (std::uint32_t s = 2; s < session->segments(); ++s)
      EXPECT_TRUE(recovered_in(v.flash, s) == 0 || session->segment(SegmentId{s}).state == SegmentState::open)
          << "loss " << loss << " segment " << s;
  }
  EXPECT_GT(spoiled, 5);
}

TEST(FmsNandRefresh, moves_the_data_of_a_segment_that_was_read_too_often) {
  NandVolume v;
  CauseProbe probe;
  FmsSession session(v.flash, v.config, &probe);
  ASSERT_EQ(session->format(0), FtlStatus::ok);
  std::vector<std::byte> page(512, std::byte{7});
  for (std::uint32_t lpn = 0; lpn < 40; ++lpn) ASSERT_EQ(session->write(lpn * 512U, page, {}, 0), FtlStatus::ok);
  for (std::uint32_t i = 0; i < 29'990; ++i) ASSERT_EQ(session->read(0, page, 0), FtlStatus::ok);
  session->idle(0, 5'000'000'000);
  EXPECT_EQ(probe.refreshes, 0);
  // A remount must not forget what a checkpoint has kept.
  ASSERT_EQ(session->trim(39 * 512U, 512, 0), FtlStatus::ok);
  ASSERT_EQ(session->flush(0), FtlStatus::ok);
  ASSERT_EQ(session->mount(0), FtlStatus::ok);
  for (std::uint32_t i = 0; i < 20; ++i) ASSERT_EQ(session->read(0, page, 0), FtlStatus::ok);
  session->idle(0, 5'000'000'000);
  EXPECT_EQ(probe.refreshes, 1);
}

TEST(FmsNandFaults, a_lost_page_is_an_error_for_its_reader_alone_and_writing_goes_on) {
  NandVolume v;
  ASSERT_EQ(v.session->format(0), FtlStatus::ok);
  std::vector<std::byte> page(512, std::byte{7});
  for (std::uint32_t lpn = 0; lpn < 100; ++lpn) ASSERT_EQ(v.session->write(lpn * 512U, page, {}, 0), FtlStatus::ok);
  const std::uint32_t hurt = segment_in_use(*v.session);
  v.flash.lose_page(hurt, 3);
  std::uint32_t failed = 0;
  for (std::uint32_t lpn = 0; lpn < 100; ++lpn) {
    const FtlStatus status = v.session->read(lpn * 512U, page, 0);
    EXPECT_TRUE(status == FtlStatus::ok || status == FtlStatus::read_failed);
    failed += status == FtlStatus::ok ? 0U : 1U;
  }
  EXPECT_EQ(failed, 1U);
  for (std::uint32_t i = 0; i < 600; ++i)
    ASSERT_EQ(v.session->write(i * 7 % 40 * 512U, std::vector<std::byte>(512, std::byte{9}), {}, 0), FtlStatus::ok)
        << i;
  EXPECT_EQ(v.session->self_check(), nullptr);
}

}  // namespace
}  // namespace ftlab::tests
