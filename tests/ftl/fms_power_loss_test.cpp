// Power losses in states of a NOR volume that the storm (tests/powerloss) seldom meets, and what it does not look at.
#include "tests/fixtures/fms_power_loss.h"

#include <gtest/gtest.h>

namespace ftlab::tests {
namespace {

FmsConfig power_loss_config() {
  FmsConfig config = small_config();
  config.logical_pages = 70;
  config.selection = "cat";
  config.redistribution = "fine_grained";
  return config;
}

TEST(FmsPowerLoss,
     at_the_largest_size_with_one_segment_in_reserve_a_cleaning_interrupted_again_and_again_can_be_done_again) {
  FmsConfig config = power_loss_config();
  config.selection = "greedy";
  config.redistribution = "sequential";
  config.low_water = config.high_water = 1;
  config.logical_pages = fms::max_logical_pages(config, small_part().geometry);
  for (std::uint32_t seed = 1; seed <= 150; ++seed) {
    EmulatedFlash flash(small_part());
    FmsSession first(flash, config);
    ASSERT_EQ(first->format(0), FtlStatus::ok);
    const std::vector<std::byte> page(config.page_bytes, std::byte{1});
    for (std::uint32_t lpn = 0; lpn < config.logical_pages; ++lpn)
      ASSERT_EQ(first->write(lpn * config.page_bytes, page, {}, 0), FtlStatus::ok);
    for (std::uint32_t round = 0; round < 4; ++round) {
      for (std::uint32_t loss = 1; loss <= 5; ++loss) {
        FmsSession session(flash, config);
        flash.lose_power_at(1 + (seed * 7 + round * 5 + loss * 11) % 26, kTornWrites[(seed + loss) % 5], seed);
        if (session->mount(0) == FtlStatus::ok)
          for (std::uint32_t i = 0; i < 40 && flash.powered(); ++i)
            (void)session->write((seed + i * 7) % config.logical_pages * config.page_bytes, page, {}, 0);
        flash.power_cycle();
      }
      FmsSession session(flash, config);
      ASSERT_EQ(session->mount(0), FtlStatus::ok) << "seed " << seed;
      for (std::uint32_t i = 0; i < 20; ++i)
        ASSERT_EQ(session->write(i * 5 % config.logical_pages * config.page_bytes, page, {}, 0), FtlStatus::ok)
            << "seed " << seed << " round " << round;
      ASSERT_EQ(session->self_check(), nullptr);
    }
  }
}

TEST(FmsPowerLoss, while_formatting_again_what_the_first_format_left_does_not_mount) {
  const UsedNor start(power_loss_config(), 27, 100);
  for (const std::uint64_t first : {6U, 9U, 15U}) {
    for (std::uint64_t second = 1;; ++second) {
      EmulatedFlash flash(small_part());
      flash.restore(start.image);
      flash.lose_power_at(first, TornWrite::whole);
      EXPECT_NE(FmsSession(flash, power_loss_config())->format(0), FtlStatus::ok);
      flash.power_cycle();
      flash.lose_power_at(second, TornWrite::whole);
      (void)FmsSession(flash, power_loss_config())->format(0);
      const bool ended = flash.powered();
      flash.power_cycle();
      FmsSession session(flash, power_loss_config());
      const FtlStatus mounted = session->mount(0);
      PageOracle empty(power_loss_config().logical_pages, session->page_bytes(), {});
      if (mounted == FtlStatus::ok)
        EXPECT_EQ(empty.check_mounted(*session), "") << first << " " << second;
      else
        EXPECT_EQ(mounted, FtlStatus::not_formatted) << first << " " << second;
      if (ended || testing::Test::HasFailure()) break;
    }
  }
}

TEST(FmsPowerLoss, during_an_overlapped_erase_does_not_bring_back_what_was_trimmed_since) {
  FmsConfig config = power_loss_config();
  config.erase_mode = FmsConfig::EraseMode::overlap;
  EmulatedFlashOptions part = small_part();
  part.erase_delay = 1000;
  EmulatedFlash flash(part);
  FmsSession session(flash, config);
  ASSERT_EQ(session->format(0), FtlStatus::ok);
  PageOracle oracle(config.logical_pages, config.page_bytes, {});
  RandomHost host(29);
  while (session->stats().pages_copied == 0) ASSERT_EQ(host.step(*session, oracle), FtlStatus::ok);
  ASSERT_LT(session->stats().erases, session->stats().cleanings) << "no erase is under way";
  oracle.begin_trim(0, config.logical_pages);
  ASSERT_EQ(session->trim(0, session->capacity_bytes(), 0), FtlStatus::ok);
  oracle.acknowledge();
  flash.power_cycle();
  FmsSession next(flash, config);
  ASSERT_EQ(next->mount(0), FtlStatus::ok);
  EXPECT_EQ(oracle.check_mounted(*next), "");
}

TEST(FmsPowerLoss, keeps_every_erase_count_that_of_an_erase_without_a_header_included) {
  const UsedNor start(power_loss_config(), 28, 150);
  for (std::uint64_t loss = 1; loss < 200; ++loss) {
    ResumedOnNor v(start);
    v.flash.lose_power_at(loss, TornWrite::whole);
    run_requests(v.session, v.host, v.oracle, 100);
    v.flash.power_cycle();
    FmsSession next(v.flash, v.config);
    ASSERT_EQ(next->mount(0), FtlStatus::ok);
    for (std::uint32_t i = 1; i < v.flash.geometry().segments; ++i)
      EXPECT_EQ(next->segment(SegmentId{i}).erase_count, v.flash.erase_count(i)) << "loss " << loss << " segment " << i;
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace ftlab::tests
