// How the time of each completion's operation is spent, kept beside it until it is read, where somebody asks. Knows
// spans as the timeline has placed them; what delays an operation afterwards is a wait for its die, since nothing else
// of it grows.
#pragma once

#include <cstdint>
#include <vector>

#include "common/passage.h"
#include "hw/array/commands/costs.h"
#include "hw/array/commands/timeline.h"
#include "hw/array/spec/spec.h"

namespace ftlab::hw::array {

class Passages {
 public:
  explicit Passages(const ArraySpec& spec) : command_(spec.timing.cycles.read), retry_(spec.read_retry) {}

  /// Null: nobody asks any more. Operations under way are taken for such that were never queued.
  void watch(PassageObserver* observer) {
    observer_ = observer;
    kept_.clear();
  }
  [[nodiscard]] bool watched() const { return observer_ != nullptr; }
  [[nodiscard]] Ticks mark() const { return observer_->mark(); }

  // Apart, so that operations of which nobody asks keep what they need in registers.
  /// Of the completion in that slot: all of it a wait, unless one of the next three says more.
  [[gnu::noinline]] void add(std::uint32_t slot, Ticks now);
  /// The last one is of this read.
  [[gnu::noinline]] void is_read(const Span& span, const Sensing& sense);
  /// Of a program; `ready`: its unit is whole and its data there.
  [[gnu::noinline]] void is_program(const Span& span, Ticks ready);
  /// The last one had come before.
  void came(Ticks queued, Ticks mark) {
    last_->queued = queued;
    last_->mark = mark;
  }
  /// That in that slot waits so long for its channel.
  [[gnu::noinline]] void waits(std::uint32_t slot, Ticks time);
  /// The completion in that slot is read.
  [[gnu::noinline]] void report(std::uint16_t tag, std::uint32_t slot, Ticks end);

 private:
  Ticks command_;
  ArrayReadRetry retry_;
  PassageObserver* observer_ = nullptr;
  std::vector<Passage> kept_;  ///< by the slots of completions
  Passage* last_ = nullptr;
};

}  // namespace ftlab::hw::array
