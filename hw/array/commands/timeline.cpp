#include "hw/array/commands/timeline.h"

#include <cstddef>

namespace ftlab::hw::array {

Span Timeline::read_in_steps(const Die& die, Ticks begin, const Sensing& sense) {
  Span span{begin, {}, begin, {}};
  for (std::uint32_t index = sense.attempts.first; index <= sense.attempts.last; ++index) {
    const ArrayReadRetry::Step step = retry_.step(index);
    const bool again = index != sense.attempts.first;
    span.cells =
        span.end + (again ? retry_.decode : Ticks{}) + read_command_ + sense.time * std::int64_t{step.sensings};
    const Ticks transfer = sense.transfer * std::int64_t{step.transfers};
    span.end = cross(die, span.cells, transfer, true) + transfer;
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
  die.output = cross(die, die.moved, sense.transfer, sense.stays);
  Span span{begin, sensed, die.output + sense.transfer, {}};
  span.die_time = finish(die, begin, span.end);
  die.next_begin = die.read_end = span.end;
  return span;
}

void Timeline::delay(std::uint32_t index, Ticks now, Ticks by, const Span& read, Ticks resumed) {
  Die& die = dies_[index];
  delay_crossings(die, read.begin, read.end, by);
  if (die.next_begin > now) die.next_begin += by;
  die.next_begin = std::max(die.next_begin, resumed);
  for (std::uint32_t plane = 0; plane < planes_per_die_; ++plane) {
    if (Ticks& free = plane_of(index, plane); free > now) free += by;
  }
  if (die.all_done > now) finish(die, die.all_done, die.all_done + by);
}

void Timeline::make_room(std::uint32_t index, const Span& read, const Room& room) {
  Die& die = dies_[index];
  delay_crossings(die, room.from, read.end, room.by);
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
  for (std::uint32_t i = 0; i < channels(); ++i) channels_[i].stop(behind(i, now));
  for (Transfers& transfers : transfers_) transfers.clear();
  crossings_.clear();
  arbitrates_ = contended_ = unsettled_ = false;
  until_look_ = kWindow;
  looked_ = now;
  now_ = came_ = all_done_ = now;
}

Ticks Timeline::cross_by_readiness(const Die& die, Ticks ready, Ticks length, bool stays) {
  channels_[die.channel].count(length);
  Crossings& crossings = crossings_[die.channel];
  if (stays || now_ < by_readiness_from_) return crossings.take_gap(came_, die.index, ready, length);
  const Ticks begin = crossings.take_by_readiness(came_, die.index, ready, length);
  if (crossings.unsettled_from() != kNever) unsettled_ = true;
  return begin;
}

void Timeline::delay_crossings(const Die& die, Ticks from, Ticks behind, Ticks by) {
  if (!arbitrates_ || now_ < by_readiness_from_) return;
  Crossings& crossings = crossings_[die.channel];
  crossings.delay(die.index, from, behind, by);
  if (crossings.unsettled_from() != kNever) unsettled_ = true;
}

void Timeline::look_at_channels() {
  until_look_ = kWindow;
  Ticks most{};
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    most = std::max(most, channels_[i].time() - taken_then_[i]);
    taken_then_[i] = channels_[i].time();
  }
  contended_ = most * (contended_ ? kCalm : kContended) > now_ - looked_;
  looked_ = now_;
}

void Timeline::arbitrate() {
  arbitrates_ = true;
  by_readiness_from_ = all_done_;
  crossings_.assign(channels_.size(), Crossings{});
  for (std::size_t i = 0; i < channels_.size(); ++i)
    for (const Channel::Reservation& taken : channels_[i].ahead())
      crossings_[i].add({Ticks::zero(), taken.begin, taken.end, Crossing::kNobody});
}

void Timeline::stop_arbitrating() {
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    channels_[i].clear();
    for (const Crossing& one : crossings_[i].ahead()) {
      channels_[i].take_over(now_, {one.begin, one.end});
      if (!transfers_.empty() && one.die != Crossing::kNobody) transfers_[i].add(came_, one.begin, one.end);
    }
  }
  crossings_.clear();
  arbitrates_ = false;
}

void Timeline::resolve(std::uint32_t index, const Settled& settled) {
  Die& die = dies_[index];
  const bool earlier = settled.all_done < die.all_done;
  if (die.read_end != Ticks::zero() && die.read_end == settled.read_end_before) {
    die.read_end = settled.read_end;
    die.output = settled.output;
    die.moved += settled.moved_by;
  }
  die.next_begin += settled.by;
  die.all_done = settled.all_done;
  die.worked += settled.worked;
  all_done_ = std::max(all_done_, die.all_done);
  if (!earlier) return;
  all_done_ = Ticks::zero();
  for (const Die& one : dies_) all_done_ = std::max(all_done_, one.all_done);
}

}  // namespace ftlab::hw::array
