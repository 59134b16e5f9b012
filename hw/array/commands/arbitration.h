// Channels that many wait for: who takes one is settled anew whenever a transfer comes before others that are ready
// later. Knows no array state.
//
// A channel that is free goes to the transfer that has been ready longest; of such that are ready at once, to the
// descriptor that was queued first. What its die has queued behind it moves with it, later or earlier. What another die
// was promised stays: the fetch of a copy to another die and all before it on its die, reads that need several steps,
// and a die that is suspended.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "hw/array/commands/completions.h"
#include "hw/array/commands/moved_work.h"
#include "hw/array/commands/operation_meter.h"
#include "hw/array/commands/passages.h"
#include "hw/array/commands/timeline.h"
#include "hw/array/commands/work_log.h"
#include "hw/array/context.h"

namespace ftlab::hw::array {

class Arbitration {
 public:
  Arbitration(const Context& device, Timeline& timeline, WorkLog& log, Completions& completions, OperationMeter& meter,
              Passages& passages)
      : device_(device),
        timeline_(timeline),
        log_(log),
        completions_(completions),
        meter_(meter),
        passages_(passages) {}

  /// No two transfers lie over each other any more.
  void resolve();

 private:
  /// A die of the channel, and how far it has been gone through.
  struct Lane {
    std::uint32_t die = 0;
    std::vector<std::uint32_t> order;  ///< places of its works by their begins
    std::vector<Crossing> crossings;   ///< of each of those, or nobody's
    std::size_t next = 0;
    Ticks by{};  ///< what comes next begins so much later
    // Ends of what began before, as it was and is:
    Ticks done_before{};
    Ticks done{};
    Ticks worked{};  ///< so much longer
    // Of the last read:
    Ticks read_end_before{};
    Ticks read_end{};
    Ticks output{};
    Ticks moved_by{};  ///< the page register takes the next page so much later
    // Of the transfer that comes next:
    Ticks begin{};  ///< of its read
    Ticks ready{};
    bool crosses = false;  ///< there is one
  };

  void resolve(std::uint32_t channel);
  /// What it has under way, and none of it moves so far.
  void begin_lane(Lane& lane, std::uint32_t die);
  /// The first in its order whose transfer moves, which is ready by `from` or later; none: nothing does.
  [[nodiscard]] std::optional<std::size_t> first_moved(Lane& lane, Ticks from, const Crossings& crossings);
  /// Up to its next transfer.
  void advance(Lane& lane);
  void prepare_read(Lane& lane, const Work& work);
  void cross(Lane& lane, Crossings& crossings);
  /// The work that comes next happens then.
  void move(Lane& lane, Ticks begin, Ticks end, Ticks waits);
  void count_die_time(Lane& lane, const Work& work, Ticks begin, Ticks end);
  void move_planes(const Lane& lane, const Work& work, Ticks by);
  /// Each ends with what was queued before it.
  void move_fences(std::uint32_t die);
  void end_lane(const Lane& lane);
  Work& next_of(Lane& lane) { return log_.of(lane.die)[lane.order[lane.next]]; }
  /// Before `other`, where the data of both is ready at once or that of neither is known to be first.
  bool is_first(Lane& lane, Lane& other) {
    if (lane.ready != other.ready) return lane.ready < other.ready;
    return is_older(next_of(lane).sequence, next_of(other).sequence);
  }
  /// Its data is there.
  [[nodiscard]] bool may_come_earlier(const Work& work) const {
    return work.kind() != WorkKind::store && device_.spec.pages_at_once == 1;
  }

  const Context& device_;
  Timeline& timeline_;
  WorkLog& log_;
  Completions& completions_;
  OperationMeter& meter_;
  Passages& passages_;
  // Kept for their memory:
  std::vector<Lane> lanes_;
  std::vector<MovedWork> moved_;
};

}  // namespace ftlab::hw::array
