// What losses of power in a run came to.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "common/units.h"

namespace ftlab::platform {

/// What the part does from a loss to the end of the mount, or what has been done before it.
struct MountWork {
  Picojoules energy{};  ///< of the operations that have the cause mount
  // Of all causes.
  std::uint64_t reads = 0;
  std::uint64_t programs = 0;
  std::uint64_t erases = 0;

  MountWork operator-(const MountWork& before) const {
    return {energy - before.energy, reads - before.reads, programs - before.programs, erases - before.erases};
  }
};

/// What the firmware does while capacitors hold the drive up.
struct HeldUp {
  Ticks time{};
  Picojoules energy{};  ///< of the whole drive but its link
};

struct PowerLossRecord {
  Ticks at{};                       ///< since the start of the measured phase
  std::uint64_t requests = 0;       ///< answered before it
  std::uint32_t in_flight = 0;      ///< requests that were sent again
  std::uint64_t torn_programs = 0;  ///< that had begun and were broken off
  std::uint64_t torn_erases = 0;
  /// Of pages whose newest content was answered and not programmed; nothing: the firmware answers none so.
  std::optional<std::uint64_t> bytes_in_ram{};
  std::optional<HeldUp> held_up{};  ///< in it; nothing: there are no capacitors, or they had nothing to do
  Ticks mount{};                    ///< until the mount ended, or power was lost again
  MountWork work;
  bool mounted = false;  ///< it ended, and well
};

struct PowerRecord {
  std::uint64_t planned = 0;
  bool protects = false;  ///< the drive has capacitors
  std::vector<PowerLossRecord> losses;
};

}  // namespace ftlab::platform
