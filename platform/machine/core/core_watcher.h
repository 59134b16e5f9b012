// Who looks at a core between its instructions and may hold it: a debugger. While it does, simulated time stands still,
// and with it part, queue and timer. Knows no core.
#pragma once

#include <cstdint>
#include <string>

#include "platform/machine/iss/core_stop.h"

namespace ftlab::platform {

class CoreWatcher {
 public:
  virtual ~CoreWatcher() = default;

  /// The core has come out of reset.
  virtual void started() = 0;
  /// Each time before the core goes on; holds it by not returning. Instructions that begin at the returned cycle or
  /// later wait for the next call.
  virtual std::uint64_t before_run() = 0;
  /// It has stopped at a breakpoint. False: not at one of the watcher's.
  virtual bool stopped() { return false; }
  /// The instruction being executed touches this memory, or this device; accesses of memory are seen where the core
  /// leaves them to the bus (iss::Core::leave_to_bus).
  virtual void touched(std::uint32_t /*address*/, unsigned /*size*/, bool /*write*/) {}
  /// It waits so many cycles for a device, in the instruction being executed.
  virtual void waits(std::uint64_t /*cycles*/) {}
  /// It has slept so many.
  virtual void sleeps(std::uint64_t /*cycles*/) {}
  /// The firmware cannot go on; `what` is the message of the run's end, which follows.
  virtual void fails(const std::string& /*what*/, iss::StopReason /*reason*/) {}
  /// The measured phase begins, or ends.
  virtual void measures(bool /*begins*/) {}
  /// The run is over, and has its results.
  virtual void ended() = 0;
};

}  // namespace ftlab::platform
