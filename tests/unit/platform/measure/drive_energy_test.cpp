#include "platform/measure/drive_energy.h"

#include <gtest/gtest.h>

namespace ftlab::platform {
namespace {

using Seconds = std::chrono::seconds;

const DrivePower kPower{.ram = 500'000,
                        .controller_idle = 4'000'000,
                        .controller_busy = 2'000'000,
                        .link_idle = 250'000,
                        .link_byte_pj = 40};

TEST(DriveEnergy, is_power_times_time_and_that_of_the_bytes_on_the_wires) {
  std::array<Ticks, kCauses> awake{};
  awake[static_cast<std::size_t>(Cause::host)] = Seconds{3};
  awake[static_cast<std::size_t>(Cause::clean)] = Seconds{1};
  const LinkTiming timing{.byte_ns = 0.5};
  const DriveEnergy energy =
      drive_energy(kPower, Seconds{10}, awake, &timing, LinkTimes{Seconds{1}, Seconds{2}, Seconds{0}});
  EXPECT_DOUBLE_EQ(to_joules(energy.ram), 5);
  EXPECT_DOUBLE_EQ(to_joules(energy.controller_idle), 40);
  EXPECT_DOUBLE_EQ(to_joules(energy.controller_busy[static_cast<std::size_t>(Cause::host)]), 6);
  EXPECT_DOUBLE_EQ(to_joules(energy.controller_busy[static_cast<std::size_t>(Cause::clean)]), 2);
  EXPECT_DOUBLE_EQ(to_joules(energy.busy()), 8);
  EXPECT_DOUBLE_EQ(to_joules(energy.link), 2.5 + 6e9 * 40e-12);
  EXPECT_DOUBLE_EQ(to_joules(energy.total()), 5 + 40 + 8 + 2.5 + 0.24);
}

TEST(DriveEnergy, of_a_drive_without_a_link_has_no_bytes_on_wires) {
  const DriveEnergy energy = drive_energy(kPower, Seconds{2}, {}, nullptr, std::nullopt);
  EXPECT_DOUBLE_EQ(to_joules(energy.link), 0.5);
  EXPECT_DOUBLE_EQ(to_joules(energy.busy()), 0);
}

}  // namespace
}  // namespace ftlab::platform
