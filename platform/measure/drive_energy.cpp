#include "platform/measure/drive_energy.h"

#include <cmath>
#include <numeric>

#include "hw/base/energy.h"

namespace ftlab::platform {

Picojoules DriveEnergy::busy() const {
  return std::accumulate(controller_busy.begin(), controller_busy.end(), Picojoules{});
}

std::array<Ticks, kCauses> awake_times(const LedgerTotals& ledger, const std::optional<CoreTotals>& core) {
  std::array<Ticks, kCauses> awake{};
  for (std::uint32_t cause = 0; cause < kCauses; ++cause) {
    awake[cause] = ledger.elapsed[cause] - ledger.asleep[cause];
    if (!core || core->cycles == 0) continue;
    const double share = static_cast<double>(core->awake_by_cause[cause]) / static_cast<double>(core->cycles);
    awake[cause] = Ticks{std::llround(share * static_cast<double>(ledger.simulated().count()))};
  }
  return awake;
}

DriveEnergy drive_energy(const DrivePower& power, Ticks simulated, const std::array<Ticks, kCauses>& awake,
                         const LinkTiming* timing, const std::optional<LinkTimes>& taken) {
  DriveEnergy energy;
  energy.ram = hw::energy_of(power.ram, simulated);
  energy.controller_idle = hw::energy_of(power.controller_idle, simulated);
  for (std::uint32_t cause = 0; cause < kCauses; ++cause)
    energy.controller_busy[cause] = hw::energy_of(power.controller_busy, awake[cause]);
  energy.link = hw::energy_of(power.link_idle, simulated);
  if (timing != nullptr && taken) {
    const double bytes = to_seconds(taken->to_device + taken->to_host) * 1e9 / timing->byte_ns;
    energy.link += Picojoules{std::llround(bytes * power.link_byte_pj)};
  }
  return energy;
}

}  // namespace ftlab::platform
