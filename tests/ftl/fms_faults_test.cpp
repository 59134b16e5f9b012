// What becomes of segments that fail to program, erase or read. That data stays is what campaigns try.
#include <gtest/gtest.h>

#include <string>

#include "tests/fixtures/fms_fixture.h"
#include "tests/fixtures/repetitions.h"
#include "tests/powerloss/random_host.h"

namespace ftlab::tests {
namespace {

constexpr std::uint32_t kOwnTags = 1'000'000;  ///< beyond those of the random host

struct FaultyVolume {
  explicit FaultyVolume(EmulatedFlashOptions part = small_part(), FmsConfig fms_config = config_with(70))
      : config(fms_config),
        flash(part),
        session(flash, config),
        oracle(config.logical_pages, config.page_bytes, {}),
        host(31) {
    EXPECT_EQ(session->format(0), FtlStatus::ok);
  }
  static FmsConfig config_with(std::uint32_t pages) {
    FmsConfig config = small_config();
    config.logical_pages = pages;
    return config;
  }
  void work(int requests) {
    for (int i = 0; i < requests; ++i) {
      ASSERT_EQ(host.step(*session, oracle), FtlStatus::ok) << "request " << i;
      ASSERT_EQ(session->self_check(), nullptr);
    }
  }
  std::uint32_t bad_segments() {
    std::uint32_t bad = 0;
    for (std::uint32_t s = 0; s < session->segments(); ++s)
      bad += session->segment(SegmentId{s}).state == SegmentState::bad ? 1U : 0U;
    return bad;
  }

  FmsConfig config;
  EmulatedFlash flash;
  FmsSession session;
  PageOracle oracle;
  RandomHost host;
};

TEST(FmsFaults, a_segment_that_failed_an_erase_is_bad_and_stays_bad_after_mount) {
  FaultyVolume v;
  v.work(100);
  std::uint64_t before = v.session->stats().bad_segments;
  ASSERT_EQ(before, 0U);
  for (std::uint32_t s = 1; s < v.session->segments() && before == v.session->stats().bad_segments; ++s) {
    v.flash.fail_at(1, s);
    v.work(60);
  }
  v.flash.fail_at(0);
  v.work(100);
  ASSERT_GE(v.bad_segments(), 1U);
  const std::uint32_t bad = v.bad_segments();
  FmsSession next(v.flash, v.config);
  ASSERT_EQ(next->mount(0), FtlStatus::ok);
  EXPECT_EQ(next->stats().bad_segments, bad);
}

TEST(FmsFaults, a_segment_that_failed_is_not_erased_again_although_an_erase_would_do) {
  for (const auto mode : {FmsConfig::EraseMode::wait, FmsConfig::EraseMode::overlap}) {
    FmsConfig config = FaultyVolume::config_with(70);
    config.erase_mode = mode;
    for (std::uint64_t at = 1; at < repetitions(200); ++at) {
      FaultyVolume v(small_part(), config);
      v.work(60);
      v.flash.fail_at(at);
      std::uint32_t failed = 0;
      for (int i = 0; failed == 0 && i < 400; ++i) {
        v.work(1);
        for (std::uint32_t s = 1; s < v.session->segments(); ++s) failed = v.flash.has_failed(s) ? s : failed;
      }
      if (failed == 0) continue;  // of the fixed segment, which has a rule of its own
      const std::uint32_t erases = v.flash.erase_count(failed);
      v.work(300);
      EXPECT_EQ(v.session->segment(SegmentId{failed}).state, SegmentState::bad) << "fault " << at;
      EXPECT_EQ(v.flash.erase_count(failed), erases) << "fault " << at;
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST(FmsFaults, a_page_whose_entry_failed_but_reads_as_whole_can_be_trimmed_for_good) {
  EmulatedFlashOptions part = small_part();
  part.faults.trace = FailureTrace::everything;
  FaultyVolume v(part);
  const auto page = [&](int value) {
    return std::vector<std::byte>(v.config.page_bytes, static_cast<std::byte>(value));
  };
  ASSERT_EQ(v.session->write(0, page(1), {}, 0), FtlStatus::ok);
  v.flash.fail_at(2);  // behind the data
  ASSERT_EQ(v.session->write(0, page(2), {}, 0), FtlStatus::ok);
  ASSERT_EQ(v.flash.failed_segments(), 1U);
  ASSERT_EQ(v.session->trim(0, v.config.page_bytes, 0), FtlStatus::ok);
  FmsSession next(v.flash, v.config);
  ASSERT_EQ(next->mount(0), FtlStatus::ok);
  std::vector<std::byte> got(v.config.page_bytes);
  ASSERT_EQ(next->read(0, got, 0), FtlStatus::ok);
  EXPECT_EQ(got, page(0xFF));
}

TEST(FmsFaults, one_segment_more_is_kept_free_after_a_failure) {
  FaultyVolume v;
  const auto fewest_free = [&] {
    std::uint32_t fewest = v.session->segments();
    for (int i = 0; i < 300; ++i) {
      v.work(1);
      std::uint32_t free = 0;
      for (std::uint32_t s = 0; s < v.session->segments(); ++s)
        free += v.session->segment(SegmentId{s}).state == SegmentState::free ? 1U : 0U;
      fewest = std::min(fewest, free);
    }
    return fewest;
  };
  v.work(200);
  const std::uint32_t before = fewest_free();
  v.flash.fail_at(1, 5);
  while (v.flash.failed_segments() == 0) v.work(1);
  v.work(100);
  EXPECT_EQ(fewest_free(), before + 1);
}

TEST(FmsFaults, the_last_free_segment_is_kept_for_copies_when_cleaning_finds_nothing) {
  FaultyVolume v;
  const auto free_segments = [&] {
    std::uint32_t free = 0;
    for (std::uint32_t s = 0; s < v.session->segments(); ++s)
      free += v.session->segment(SegmentId{s}).state == SegmentState::free ? 1U : 0U;
    return free;
  };
  const std::uint32_t page_bytes = v.config.page_bytes;
  const std::uint32_t last = v.config.logical_pages - 1;
  const auto write = [&](std::uint32_t lpn) {
    return v.session->write(std::uint64_t{lpn} * page_bytes, std::vector<std::byte>(page_bytes), {}, 0);
  };
  // One page of each segment stays valid, and none can be read.
  for (std::uint32_t s = 1; s < v.session->segments(); ++s) v.flash.make_unreadable(s);
  FtlStatus status = FtlStatus::ok;
  for (std::uint32_t i = 0; status == FtlStatus::ok && i < 1000; ++i) status = write(i % 13 == 0 ? i / 13 : last);
  ASSERT_EQ(status, FtlStatus::no_space);
  EXPECT_EQ(free_segments(), 1U);
  ASSERT_EQ(v.session->trim(0, std::uint64_t{last} * page_bytes, 0), FtlStatus::ok);
  EXPECT_EQ(write(last), FtlStatus::ok) << "what was trimmed makes room";
}

TEST(FmsFaults, an_unreadable_segment_is_left_alone_and_writing_goes_on) {
  FaultyVolume v;
  v.work(100);
  v.flash.make_unreadable(5);
  // Whole pages only: a partial write over an unreadable page is rightly refused.
  for (std::uint32_t i = 0; i < 400; ++i) {
    const std::uint32_t lpn = i * 7 % 40;
    std::vector<std::byte> data;
    v.oracle.begin_write(lpn * PageOracle::kUnits, PageOracle::kUnits, kOwnTags + i, data);
    ASSERT_EQ(v.session->write(std::uint64_t{lpn} * v.config.page_bytes, data, {}, 0), FtlStatus::ok) << i;
    v.oracle.acknowledge();
    ASSERT_EQ(v.session->self_check(), nullptr);
  }
  v.flash.make_all_readable();
  EXPECT_EQ(v.oracle.check_live(*v.session), "");
}

TEST(FmsFaults, the_medium_works_on_without_its_fixed_segment) {
  FaultyVolume v;
  v.work(60);
  v.flash.fail_at(1, nor::kFixedSegment);
  v.work(200);
  FmsSession next(v.flash, v.config);
  ASSERT_EQ(next->mount(0), FtlStatus::ok);
  EXPECT_EQ(v.oracle.check_mounted(*next), "");
}

TEST(FmsFaults, a_blank_or_foreign_fixed_segment_is_made_anew_from_the_headers) {
  for (const int fill : {0xFF, 0x00}) {
    FaultyVolume v;
    v.work(150);
    std::fill_n(v.flash.bytes(nor::kFixedSegment), v.flash.geometry().segment_bytes, static_cast<std::byte>(fill));
    FmsSession next(v.flash, v.config);
    ASSERT_EQ(next->mount(0), FtlStatus::ok);
    EXPECT_EQ(next->stats().log_erases, 1U);
    EXPECT_EQ(v.oracle.check_mounted(*next), "");
    for (std::uint32_t s = 1; s < next->segments(); ++s)
      EXPECT_EQ(next->segment(SegmentId{s}).erase_count, v.session->segment(SegmentId{s}).erase_count);
  }
}

TEST(FmsFaults, a_lost_header_and_a_lost_log_take_the_mean_erase_count) {
  FaultyVolume v;
  v.work(400);
  std::uint32_t free = 0;
  while (v.session->segment(SegmentId{free}).state != SegmentState::free) ++free;
  std::fill_n(v.flash.bytes(nor::kFixedSegment), v.flash.geometry().segment_bytes, std::byte{0xFF});
  std::fill_n(v.flash.bytes(free), v.flash.geometry().segment_bytes, std::byte{0xFF});
  double sum = 0;
  for (std::uint32_t s = 1; s < v.session->segments(); ++s)
    if (s != free) sum += v.session->segment(SegmentId{s}).erase_count;
  const double mean = sum / (v.session->segments() - 2);
  FmsSession next(v.flash, v.config);
  ASSERT_EQ(next->mount(0), FtlStatus::ok);
  EXPECT_NEAR(next->segment(SegmentId{free}).erase_count, mean + 1, 0.51);  // erased once more by the mount
}

}  // namespace
}  // namespace ftlab::tests
