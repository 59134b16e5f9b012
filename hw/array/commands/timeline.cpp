#include "hw/array/commands/timeline.h"

namespace ftlab::hw::array {

Span Timeline::read_in_steps(const Die& die, Ticks begin, const Sensing& sense) {
  Span span{begin, {}, begin, {}};
  for (std::uint32_t index = sense.attempts.first; index <= sense.attempts.last; ++index) {
    const ArrayReadRetry::Step step = retry_.step(index);
    const bool again = index != sense.attempts.first;
    span.cells =
        span.end + (again ? retry_.decode : Ticks{}) + read_command_ + sense.time * std::int64_t{step.sensings};
    const Ticks transfer = sense.transfer * std::int64_t{step.transfers};
    span.end = channels_[die.channel].reserve(now_, span.cells, transfer) + transfer;
  }
  return span;
}

Span Timeline::read_with_cache(Die& die, const Sensing& sense) {
  const bool cached = sense.attempts.plain() && sense.transfer > Ticks::zero();
  // What has been queued, delayed or put between since then has moved the others.
  const bool follows = die.read_end == die.next_begin && die.read_end == die.all_done && now_ < die.output;
  if (!cached || !follows) {
    const Span span = read_alone(die, sense);
    die.read_end = cached ? span.end : Ticks::zero();
    die.output = span.end - sense.transfer;
    die.moved = span.cells + cache_busy_;
    return span;
  }
  const Ticks begin = std::max(now_, die.moved);
  const Ticks sensed = begin + read_command_ + sense.time;
  die.moved = std::max(sensed, die.read_end) + cache_busy_;
  die.output = channels_[die.channel].reserve(now_, die.moved, sense.transfer);
  Span span{begin, sensed, die.output + sense.transfer, {}};
  span.die_time = finish(die, begin, span.end);
  die.next_begin = die.read_end = span.end;
  return span;
}

void Timeline::delay(std::uint32_t index, Ticks now, Ticks by, Ticks resumed) {
  Die& die = dies_[index];
  if (die.next_begin > now) die.next_begin += by;
  die.next_begin = std::max(die.next_begin, resumed);
  for (std::uint32_t plane = 0; plane < planes_per_die_; ++plane) {
    if (Ticks& free = plane_of(index, plane); free > now) free += by;
  }
  if (die.all_done > now) finish(die, die.all_done, die.all_done + by);
}

void Timeline::make_room(std::uint32_t index, const Span& read, const Room& room) {
  Die& die = dies_[index];
  die.next_begin = std::max(die.next_begin + room.by, read.end);
  for (std::uint32_t plane = 0; plane < planes_per_die_; ++plane) {
    Ticks& free = plane_of(index, plane);
    if (free > room.from && (room.held >> plane & 1U) == 0) free += room.by;
  }
  die.all_done = room.done;
  die.worked += read.die_time;
  all_done_ = std::max(all_done_, room.done);
}

void Timeline::stop(Ticks now) {
  for (Die& die : dies_) die.next_begin = die.all_done = now;
  std::fill(planes_.begin(), planes_.end(), now);
  for (Channel& channel : channels_) channel.stop(now);
  now_ = all_done_ = now;
}

}  // namespace ftlab::hw::array
