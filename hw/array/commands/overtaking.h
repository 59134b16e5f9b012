// Reads that overtake what their die has queued and not begun: when they may, when they begin, and what they move.
// Knows no array state.
//
// A read begins when what runs on its die has ended, before what waits there; reads keep their order among themselves.
// It comes behind whatever changes what it reads, and behind what feeds another die. So many reads as the register says
// overtake the operation that is next; another one waits until behind that, so that nothing waits for ever. All that is
// overtaken happens so much later; reservations of a channel stay where they were, unless
// it is contended.
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

class Overtaking {
 public:
  Overtaking(const Context& device, Timeline& timeline, WorkLog& log, Completions& completions, OperationMeter& meter)
      : device_(device),
        timeline_(timeline),
        log_(log),
        completions_(completions),
        meter_(meter),
        next_(device.spec.dies()) {}

  /// Reads that overtake the same operation at most; 0: every operation has its turn.
  void configure(std::uint16_t most) { most_ = most; }
  [[nodiscard]] std::uint16_t most() const { return most_; }
  /// What is under way is not in the log: nothing is overtaken before it has ended.
  void begin_log() { logged_from_ = timeline_.all_done(); }
  /// Nothing is under way any more.
  void stop() {
    next_.assign(next_.size(), Next{});
    logged_from_ = Ticks::zero();
  }

  /// The time of a read, with its transfer, before its turn; none when its turn comes no later.
  std::optional<Span> place(std::uint32_t die, std::uint32_t page, const Sensing& sense);

 private:
  /// The operation that a die begins next, and how many reads have overtaken it.
  struct Next {
    std::uint32_t sequence = 0;
    std::uint32_t overtaken = 0;
  };

  /// The read comes behind whatever begins by then.
  [[nodiscard]] Ticks behind(std::uint32_t die, std::uint32_t page) const;
  /// The first that is no read and begins behind `after`; null: there is none.
  [[nodiscard]] const Work* first_behind(std::uint32_t die, Ticks after) const;
  [[nodiscard]] bool may_overtake(std::uint32_t die, const Work& next);
  /// Until then, in which what begins from `from` on works while what has begun before it does.
  [[nodiscard]] Ticks overlap(std::uint32_t die, Ticks from, Ticks until) const;
  /// That work and what begins behind it happens so much later than it would, for the read.
  void delay(std::uint32_t die, const Work& first, Ticks by, const Span& read);

  const Context& device_;
  Timeline& timeline_;
  WorkLog& log_;
  Completions& completions_;
  OperationMeter& meter_;
  std::vector<Next> next_;            ///< of each die
  std::vector<std::uint32_t> moved_;  ///< their sequence numbers, ascending
  Ticks logged_from_{};
  std::uint16_t most_ = 0;
};

}  // namespace ftlab::hw::array
