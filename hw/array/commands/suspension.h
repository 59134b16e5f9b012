// Reads that interrupt a program or an erase: when they may, when they begin, and what they move.
// Knows no array state.
//
// A read may interrupt when all that runs on its die may be interrupted and has enough left, when no queued or running
// operation changes what it reads, and when nothing behind it on the die feeds another die. A transfer and the reading
// half of a copy end first, unless something else begins on the die meanwhile. It begins after the suspend latency.
// Everything that the die has left is over later by latency, read and resume; reservations of a channel stay
// where they were, unless it is contended. Reads that come while a die is suspended follow each other, and the die
// resumes after the last one.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "hw/array/commands/completions.h"
#include "hw/array/commands/operation_meter.h"
#include "hw/array/commands/timeline.h"
#include "hw/array/commands/work_log.h"
#include "hw/array/context.h"

namespace ftlab::hw::array {

class Suspension {
 public:
  Suspension(const Context& device, Timeline& timeline, WorkLog& log, Completions& completions, OperationMeter& meter)
      : device_(device),
        timeline_(timeline),
        log_(log),
        completions_(completions),
        meter_(meter),
        suspended_until_(device.spec.dies()) {}

  void configure(std::uint16_t control) { control_ = control & (control::kSuspendPrograms | control::kSuspendErases); }
  [[nodiscard]] std::uint16_t control() const { return control_; }

  /// Nothing is suspended any more.
  void stop() { suspended_until_.assign(suspended_until_.size(), Ticks::zero()); }

  /// The time of a read with its transfer out of order; none when it has to wait for its turn, or need not interrupt
  /// anything.
  std::optional<Span> place(std::uint32_t die, std::uint32_t page, const Sensing& sense);

 private:
  /// From when on all that runs is at its cells; none: nothing runs, or it must not be interrupted.
  [[nodiscard]] std::optional<Ticks> interruptible_from(std::uint32_t die, Ticks now);
  [[nodiscard]] bool may_overtake(std::uint32_t die, std::uint32_t page, Ticks now);
  [[nodiscard]] bool interruptible(const Work& work, Ticks now) const;
  void delay(std::uint32_t die, Ticks now, Ticks by, const Span& read, Ticks resumed);

  const Context& device_;
  Timeline& timeline_;
  WorkLog& log_;
  Completions& completions_;
  OperationMeter& meter_;
  std::vector<Ticks> suspended_until_;  ///< end of the last read, of each die
  std::vector<std::uint32_t> moved_;    ///< numbers of descriptors, kept for its memory
  std::uint16_t control_ = 0;
};

}  // namespace ftlab::hw::array
