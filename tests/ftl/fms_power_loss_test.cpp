// Power losses in states of a NOR volume that the storm (tests/powerloss) seldom meets, and what it does not look at.
#include <gtest/gtest.h>

#include "tests/fixtures/fms_fixture.h"
#include "tests/fixtures/torn_write.h"

namespace ftlab::tests {
namespace {

FmsVolume power_loss_config() {
  FmsVolume config = small_config();
  config.logical_pages = 70;
  config.selection = "cat";
  config.redistribution = "fine_grained";
  return config;
}

TEST(FmsPowerLoss,
     at_the_largest_size_with_one_segment_in_reserve_a_cleaning_interrupted_again_and_again_can_be_done_again) {
  FmsVolume config = power_loss_config();
  config.selection = "greedy";
  config.redistribution = "sequential";
  config.low_water = config.high_water = 1;
  {
    EmulatedFlash blank(small_part());
    config.logical_pages = max_logical_pages(config, blank);
  }
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

}  // namespace
}  // namespace ftlab::tests
