// What an interrupted or failed erase leaves may be anything: the log says which segment it was. And copies that were
// moved out of a segment count on the medium until it is erased: no trim may bring them back.
#include <gtest/gtest.h>

#include "firmware/volume/nor/media_format.h"
#include "tests/fixtures/fms_power_loss.h"
#include "tests/fixtures/repetitions.h"
#include "tests/ftl/fms_pages.h"

namespace ftlab::tests {
namespace {

EmulatedFlashOptions part_with_long_erases() {
  EmulatedFlashOptions part = small_part();
  part.erase_delay = 60;
  return part;
}

FmsConfig config_with(std::uint32_t logical_pages, FmsConfig::EraseMode mode = FmsConfig::EraseMode::wait) {
  FmsConfig config = small_config();
  config.logical_pages = logical_pages;
  config.erase_mode = mode;
  return config;
}

/// Requests after which the next one rewrites the log.
int requests_until_rewritten(const FmsConfig& config, std::uint64_t seed) {
  EmulatedFlash flash(part_with_long_erases());
  FmsSession session(flash, config);
  EXPECT_EQ(session->format(0), FtlStatus::ok);
  PageOracle oracle(config.logical_pages, config.page_bytes, {});
  RandomHost host(seed);
  int requests = 0;
  for (; session->stats().log_erases == 0 && requests < 20000; ++requests)
    EXPECT_EQ(host.step(*session, oracle), FtlStatus::ok);
  return requests;
}

TEST(FmsEraseLog, is_not_rewritten_while_an_erase_is_under_way) {
  FmsConfig config = config_with(70, FmsConfig::EraseMode::overlap);
  for (std::uint64_t seed = 1; seed <= repetitions(6); ++seed) {
    // Logs that end with an entry for an erase, and with one for a segment that is opened.
    config.redistribution = seed % 2 == 0 ? "sequential" : "fine_grained";
    config.read_only_placement = seed % 3 == 0 ? "apart" : "mixed";
    constexpr int kBefore = 14;  // so that cleanings of this session are under way
    const UsedNor start(config, seed, requests_until_rewritten(config, seed) - kBefore, part_with_long_erases());
    for (const TornWrite torn : kTornWrites) {
      for (std::uint64_t loss = 1;; ++loss) {
        ResumedOnNor v(start);
        v.flash.lose_power_at(loss, torn, loss);
        run_requests(v.session, v.host, v.oracle, 20);
        if (v.flash.powered()) break;
        ASSERT_EQ(v.wrong_after_power_loss(), "") << "seed " << seed << " loss " << loss;
      }
    }
  }
}

TEST(FmsEraseLog, has_an_entry_written_again_whose_program_failed_once) {
  const UsedNor start(config_with(60), 3, 150);
  for (std::uint64_t loss = 1; loss <= repetitions(400); ++loss) {
    ResumedOnNor v(start);
    v.flash.fail_at(1 + loss % 3, nor::kFixedSegment);
    v.flash.lose_power_at(loss, TornWrite::random, loss);
    ASSERT_EQ(v.wrong_after_power_loss(), "") << "loss " << loss;
  }
}

TEST(FmsEraseLog, is_rewritten_again_when_that_failed_once) {
  const FmsConfig config = config_with(60);
  const UsedNor start(config, 3, requests_until_rewritten(config, 3) - 3, part_with_long_erases());
  for (std::uint64_t loss = 1; loss <= repetitions(400); ++loss) {
    ResumedOnNor v(start);
    for (int i = 0; i < 6 && v.session->stats().log_erases == 0; ++i) {
      v.flash.fail_at(1 + loss % 3, nor::kFixedSegment);
      ASSERT_EQ(v.host.step(*v.session, v.oracle), FtlStatus::ok);
    }
    ASSERT_GE(v.session->stats().log_erases, 1U);
    v.flash.fail_at(0);
    v.flash.lose_power_at(loss, TornWrite::random, loss);
    ASSERT_EQ(v.wrong_after_power_loss(), "") << "loss " << loss;
  }
}

TEST(FmsEraseLog, of_a_format_taken_up_again_knows_the_segment_whose_erase_failed) {
  const FmsConfig config = config_with(kRoomyPages);
  const UsedNor start(config, 7, 200);
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    EmulatedFlashOptions part = small_part();
    part.faults.trace = FailureTrace::half;
    part.faults.seed = seed;
    EmulatedFlash flash(part);
    flash.restore(start.image);
    FmsSession session(flash, config);
    flash.lose_power_at(5 + seed, TornWrite::none, seed);
    ASSERT_NE(session->format(0), FtlStatus::ok);
    flash.power_cycle();
    FmsSession again(flash, config);
    flash.fail_at(2, 12);
    ASSERT_EQ(again->format(0), FtlStatus::ok);
    FmsSession next(flash, config);
    ASSERT_EQ(next->mount(0), FtlStatus::ok);
    PageOracle empty(config.logical_pages, config.page_bytes, {});
    ASSERT_EQ(empty.check_mounted(*next), "") << "seed " << seed;
  }
}

TEST(FmsEraseLog, is_made_anew_before_a_mount_erases_anything) {
  const FmsConfig config = config_with(70);
  const UsedNor start(config, 5, 200);
  int made_anew = 0;
  for (std::uint64_t loss = 1; loss <= 60; ++loss) {
    ResumedOnNor v(start);
    {
      // A segment that is void and not erased yet.
      const LossInErase in_erase(v.flash, 1 + loss % 4, TornWrite::none);
      run_requests(v.session, v.host, v.oracle, 200);
      ASSERT_FALSE(v.flash.powered());
    }
    v.flash.power_cycle();
    std::fill_n(v.flash.bytes(nor::kFixedSegment), v.flash.geometry().segment_bytes, std::byte{0xFF});
    for (std::uint64_t change = 1;; ++change) {
      EmulatedFlash interrupted(small_part());
      interrupted.restore(v.flash.snapshot());
      interrupted.lose_power_at(change, TornWrite::random, loss);
      FmsSession session(interrupted, config);
      (void)session->mount(0);
      if (interrupted.powered()) break;
      interrupted.power_cycle();
      PageOracle expected = v.oracle;
      FmsSession next(interrupted, config);
      ASSERT_EQ(next->mount(0), FtlStatus::ok);
      ASSERT_EQ(expected.check_mounted(*next), "") << "loss " << loss << " change " << change;
      ++made_anew;
    }
  }
  EXPECT_GT(made_anew, 200);
}

void expect_that_all_is_erased(EmulatedFlash& flash, const FmsConfig& config) {
  FmsSession next(flash, config);
  ASSERT_EQ(next->mount(0), FtlStatus::ok);
  for (std::uint32_t lpn = 0; lpn < config.logical_pages; ++lpn) {
    std::vector<std::byte> got(config.page_bytes);
    ASSERT_EQ(next->read(std::uint64_t{lpn} * config.page_bytes, got, 0), FtlStatus::ok);
    ASSERT_EQ(got, page_of(0xFF)) << "page " << lpn;
  }
}

// With the reserve lost to a segment that failed, copies go behind what the open segment holds already: undoing them
// does not empty it.
TEST(FmsEraseLog, copies_that_a_mount_undid_do_not_come_back_after_a_trim) {
  FmsConfig config = config_with(0);
  config.low_water = config.high_water = 1;
  config.logical_pages = fms::max_logical_pages(config, small_part().geometry) - 26;  // two segments may fail
  for (std::uint64_t fault = 1; fault <= 60; fault += kEachIsDear ? 12 : 3) {
    for (std::uint64_t later = 1; later <= 120; ++later) {
      EmulatedFlash flash(small_part());
      FmsSession first(flash, config);
      ASSERT_EQ(first->format(0), FtlStatus::ok);
      for (std::uint32_t lpn = 0; lpn < config.logical_pages; ++lpn)
        ASSERT_EQ(first->write(std::uint64_t{lpn} * kPage, page_of(1), {}, 0), FtlStatus::ok);
      flash.fail_at(fault);
      flash.lose_power_at(fault + later, TornWrite::none);
      FtlStatus status = FtlStatus::ok;
      for (std::uint64_t i = 0; status == FtlStatus::ok; ++i)
        status = first->write((i * 7 + i / 50) % config.logical_pages * kPage, page_of(2), {}, 0);
      if (flash.powered()) continue;
      flash.power_cycle();
      FmsSession session(flash, config);
      ASSERT_EQ(session->mount(0), FtlStatus::ok);
      // What was undone is copied again, and its old segment erased.
      for (std::uint64_t i = 0; i < 4; ++i)
        if (session->write(i * 11 % config.logical_pages * kPage, page_of(3), {}, 0) != FtlStatus::ok) break;
      if (session->trim(0, session->capacity_bytes(), 0) != FtlStatus::ok) continue;
      expect_that_all_is_erased(flash, config);
      if (testing::Test::HasFailure()) FAIL() << "fault " << fault << ", power lost " << later << " changes later";
    }
  }
}

TEST(FmsEraseLog, copies_of_a_cleaning_that_broke_off_do_not_come_back_after_a_trim) {
  FmsConfig config = config_with(kRoomyPages);
  config.wear_leveling = "ban";
  config.params.set("ban_every", 2);
  for (std::uint64_t seed = 1; seed <= repetitions(300); ++seed) {
    EmulatedFlashOptions part = small_part();
    part.faults.seed = seed;
    part.faults.refuse_ever_after = seed % 2 == 0;
    part.faults.program_failures = 3000;
    config.clean_at_once = 1 + seed % 3;
    EmulatedFlash flash(part);
    FmsSession session(flash, config);
    if (session->format(0) != FtlStatus::ok) continue;
    FtlStatus status = FtlStatus::ok;
    for (std::uint32_t lpn = 0; lpn < config.logical_pages && status == FtlStatus::ok; ++lpn)
      status = session->write(std::uint64_t{lpn} * kPage, page_of(1), {}, 0);
    for (std::uint32_t i = 0; i < 200 + 40 * (seed % 7) && status == FtlStatus::ok; ++i)
      status = session->write((seed + i * 7) % config.logical_pages * kPage, page_of(2), {}, 0);
    if (status != FtlStatus::ok || session->trim(0, session->capacity_bytes(), 0) != FtlStatus::ok) continue;
    expect_that_all_is_erased(flash, config);
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
}

}  // namespace
}  // namespace ftlab::tests
