#include "platform/machine/core/core_clock.h"

#include <gtest/gtest.h>

namespace ftlab::platform {
namespace {

TEST(CoreClock, a_cycle_is_the_first_one_from_its_own_begin_and_a_tick_before_it) {
  for (const std::uint64_t hz : {1'000'000ULL, 63'999'000ULL, 64'000'000ULL, 1'000'000'000ULL}) {
    const CoreClock clock(hz);
    // Up to the end of the clock.
    for (const std::uint64_t cycle : {0ULL, 1ULL, 2ULL, 63ULL, 64'000'001ULL, 28 * 365 * 86'400ULL * hz}) {
      EXPECT_EQ(clock.first_from(clock.at(cycle)), cycle) << hz;
      EXPECT_EQ(clock.first_from(clock.at(cycle + 1) - Ticks{1}), cycle + 1) << hz;
    }
  }
}

TEST(CoreClock, errors_do_not_add_up) {
  const CoreClock clock(64'000'000);
  EXPECT_EQ(clock.at(1), Ticks{156}) << "15.625 ns";
  EXPECT_EQ(clock.at(64'000'000ULL * 1000), std::chrono::seconds{1000});
}

TEST(CoreClock, what_is_remembered_of_an_access_is_what_it_lasts) {
  // With a power of two of cycles in whole ticks, with more than are remembered, and with none.
  for (const std::uint64_t hz : {64'000'000ULL, 80'000'000ULL, 1'024'000'000ULL / 2, 63'999'000ULL}) {
    const CoreClock clock(hz);
    CoreClock::Lasting lasting(clock);
    for (std::uint64_t cycle = 1'000'000; cycle < 1'000'100; ++cycle)
      for (const std::int64_t ticks : {0, 1, 155, 156, 157, 1500, 1500, 9'999'999})
        EXPECT_EQ(lasting.of(cycle, Ticks{ticks}), clock.first_from(clock.at(cycle) + Ticks{ticks}) - cycle)
            << hz << " " << cycle << " " << ticks;
  }
}

}  // namespace
}  // namespace ftlab::platform
