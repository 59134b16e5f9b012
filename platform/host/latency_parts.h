// What a request's time is made of, from its arrival in the host's queue to its completion there.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "common/units.h"

namespace ftlab::platform {

/// In the order in which a request meets them.
enum class LatencyPart : std::uint8_t {
  queue,     ///< until it is sent: for its turn, and for the wires of the link
  link,      ///< on the wires, until the front end of the drive has it
  firmware,  ///< front end and processor, and the wait for either
  slot,      ///< the processor sleeps, and there is no command of the request: for a buffer, room, the rest of a unit
  die,       ///< its command waits for the die
  channel,   ///< and for the channel
  cells,     ///< sensing or programming
  retries,   ///< reading again
  decoding,  ///< failed decodings
  transfer,  ///< on the channel, with command cycles
  back       ///< from the firmware's answer to the host
};
inline constexpr std::uint32_t kLatencyParts = 11;

constexpr std::string_view name_of(LatencyPart part) {
  constexpr std::string_view names[kLatencyParts] = {"queue", "link",    "firmware", "slot",     "die", "channel",
                                                     "cells", "retries", "decoding", "transfer", "back"};
  return names[static_cast<std::uint32_t>(part)];
}

class LatencyParts {
 public:
  [[nodiscard]] Ticks& operator[](LatencyPart part) { return parts_[static_cast<std::uint32_t>(part)]; }
  [[nodiscard]] Ticks operator[](LatencyPart part) const { return parts_[static_cast<std::uint32_t>(part)]; }
  /// With zeros behind the last one, so that they are added two at a time.
  using All = std::array<Ticks, (kLatencyParts + 1) / 2 * 2>;
  [[nodiscard]] const All& all() const { return parts_; }

 private:
  All parts_{};
};

}  // namespace ftlab::platform
