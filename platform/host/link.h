// What lies between a host and the firmware of a drive, as times: the wires, one way each, whose transfers follow each
// other, and the controller's front end, which takes commands one after the other and then works on many at once.
// Knows no queue and no protocol beyond sizes.
#pragma once

#include <algorithm>
#include <cstdint>

#include "common/link_timing.h"
#include "common/units.h"

namespace ftlab::platform {

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
    const Ticks arrived = to_device_ + timing_.latency;
    front_ = std::max(arrived, front_) + timing_.command_time;
    return {begun, arrived, front_ + (reads ? timing_.front_read : timing_.front_write)};
  }
  /// When the host has a completion that the firmware gives at `at`, behind so many bytes of data.
  Ticks answer(Ticks at, std::uint64_t bytes) {
    to_host_ = std::max(at, to_host_) + timing_.transfer(bytes) + timing_.transfer(timing_.completion);
    return to_host_ + timing_.latency;
  }

 private:
  LinkTiming timing_;
  Ticks to_device_{};  ///< until then the wires are taken, in this direction
  Ticks to_host_{};
  Ticks front_{};  ///< until then the front end is
};

}  // namespace ftlab::platform
