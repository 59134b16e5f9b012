// What lies between a host and the firmware of a drive, as times: the wires, one way each, whose transfers follow each
// other, and the controller's front end, which takes commands one after the other and then works on many at once.
// Knows no queue and no protocol beyond sizes.
#pragma once

#include <algorithm>
#include <cstdint>

#include "common/link_timing.h"
#include "common/units.h"

namespace ftlab::platform {

/// For which wires, each way, and front end were taken.
struct LinkTimes {
  Ticks to_device{};
  Ticks to_host{};
  Ticks front{};
};

/// A link with what is under way.
class Link {
 public:
  explicit Link(const LinkTiming& timing) : timing_(timing) {}

  /// When a command that was sent is on the wires, is in the front end, and is the firmware's.
  struct Sent {
    Ticks begun{};
    Ticks arrived{};
    Ticks taken{};
  };
  /// A command that is sent at `at`, with so many bytes of data behind it.
  Sent send(Ticks at, bool reads, std::uint64_t bytes) {
    const Ticks begun = std::max(at, to_device_);
    to_device_ = begun + timing_.transfer(timing_.command) + timing_.transfer(bytes);
    taken_.to_device += to_device_ - begun;
    taken_.front += timing_.command_time;
    const Ticks arrived = to_device_ + timing_.latency;
    front_ = std::max(arrived, front_) + timing_.command_time;
    return {begun, arrived, front_ + (reads ? timing_.front_read : timing_.front_write)};
  }
  /// When the host has a completion that the firmware gives at `at`, behind so many bytes of data.
  Ticks answer(Ticks at, std::uint64_t bytes) {
    const Ticks begun = std::max(at, to_host_);
    to_host_ = begun + timing_.transfer(bytes) + timing_.transfer(timing_.completion);
    taken_.to_host += to_host_ - begun;
    return to_host_ + timing_.latency;
  }

  /// Since it was made, and not behind `until`; what is ahead is taken to be without gaps.
  [[nodiscard]] LinkTimes times_by(Ticks until) const {
    const auto by = [until](Ticks taken, Ticks end) { return taken - std::clamp(end - until, Ticks::zero(), taken); };
    return {by(taken_.to_device, to_device_), by(taken_.to_host, to_host_), by(taken_.front, front_)};
  }

 private:
  LinkTiming timing_;
  LinkTimes taken_;
  Ticks to_device_{};  ///< until then the wires are taken, in this direction
  Ticks to_host_{};
  Ticks front_{};  ///< until then the front end is
};

}  // namespace ftlab::platform
