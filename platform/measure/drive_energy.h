// What a drive drew beside its array, from how long its processor worked and its wires were taken. Knows no run.
#pragma once

#include <array>
#include <optional>

#include "common/link_timing.h"
#include "common/sums.h"
#include "firmware/port/probe_port.h"
#include "platform/host/link.h"
#include "platform/machine/core_totals.h"
#include "platform/machine/drive_power.h"
#include "platform/machine/ledger.h"

namespace ftlab::platform {

struct DriveEnergy {
  Picojoules ram;
  Picojoules controller_idle;
  std::array<Picojoules, kCauses> controller_busy{};  ///< by what the firmware worked for
  Picojoules link;

  [[nodiscard]] Picojoules busy() const;
  [[nodiscard]] Picojoules total() const { return ram + controller_idle + busy() + link; }
};

/// For which the processor worked, by cause. `core`: what a simulated one has counted of itself.
[[nodiscard]] std::array<Ticks, kCauses> awake_times(const LedgerTotals& ledger, const std::optional<CoreTotals>& core);

/// `awake`: the processor, by cause. `timing` and `taken`: of the link; none: there is none.
[[nodiscard]] DriveEnergy drive_energy(const DrivePower& power, Ticks simulated,
                                       const std::array<Ticks, kCauses>& awake, const LinkTiming* timing,
                                       const std::optional<LinkTimes>& taken);

}  // namespace ftlab::platform
