// How the time of an operation was spent that a device has queued and reported: for who asks of each.
#pragma once

#include <cstdint>

#include "common/units.h"

namespace ftlab {

/// What of the time from `queued` to `end` is in none of the parts was spent waiting for the die.
struct Passage {
  std::uint16_t tag = 0;
  Ticks queued{};
  Ticks end{};
  Ticks mark{};      ///< the observer's, when it was queued
  Ticks gathered{};  ///< waiting for the rest of its program unit
  Ticks channel{};   ///< waiting for the channel
  Ticks transfer{};  ///< on the channel, with command cycles
  Ticks cells{};     ///< sensing or programming
  Ticks retries{};   ///< reading again: sensing and transfer
  Ticks decoding{};  ///< failed decodings before that
};

class PassageObserver {
 public:
  PassageObserver() = default;
  PassageObserver(const PassageObserver&) = delete;
  PassageObserver& operator=(const PassageObserver&) = delete;

  /// Its report is read now, behind those that were read before it.
  virtual void reported(const Passage& passage) = 0;
  /// A number that operations get as their mark.
  [[nodiscard]] virtual Ticks mark() const = 0;

 protected:
  ~PassageObserver() = default;
};

}  // namespace ftlab
