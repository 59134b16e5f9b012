#include "hw/array/commands/overtaking.h"

#include <algorithm>

namespace ftlab::hw::array {

std::optional<Span> Overtaking::place(std::uint32_t die, std::uint32_t page, const Sensing& sense) {
  const Ticks now = timeline_.now();
  if (most_ == 0 || timeline_.die(die).next_begin <= now || now < logged_from_) return std::nullopt;
  log_.retire(timeline_.came(), die);
  const Ticks after = behind(die, page);
  const Work* first = first_behind(die, after);
  if (first != nullptr && after == now && !may_overtake(die, *first)) first = first_behind(die, first->begin);
  if (first == nullptr) return std::nullopt;
  Ticks begin = now;
  const Ring<Work>& works = log_.of(die);
  for (std::size_t i = 0; i < works.size(); ++i)
    if (works[i].begin < first->begin) begin = std::max(begin, works[i].end);
  Span span = timeline_.read_aside(die, begin, sense);
  const Ticks by = std::max(span.end - first->begin, Ticks::zero());
  span.die_time = span.end - span.begin + overlap(die, first->begin, begin);
  delay(die, Work{*first}, by, span);
  return span;
}

Ticks Overtaking::behind(std::uint32_t die, std::uint32_t page) const {
  const std::uint32_t segment = device_.segments.segment_of(page);
  const Ring<Work>& works = log_.of(die);
  Ticks after = timeline_.now();
  for (std::size_t i = 0; i < works.size(); ++i) {
    const Work& work = works[i];
    if (work.begin <= after) continue;
    const bool feeds = work.kind() == WorkKind::fetch;
    const bool changes = work.changes() && (device_.spec.together(work.page, page) ||
                                            (!work.stores() && device_.segments.segment_of(work.page) == segment));
    if (feeds || changes) after = work.begin;
  }
  return after;
}

const Work* Overtaking::first_behind(std::uint32_t die, Ticks after) const {
  const Ring<Work>& works = log_.of(die);
  const Work* first = nullptr;
  for (std::size_t i = 0; i < works.size(); ++i) {
    const Work& work = works[i];
    const bool waits =
        work.kind() != WorkKind::read && work.kind() != WorkKind::early && work.kind() != WorkKind::fence;
    if (!waits || work.begin <= after) continue;
    if (first == nullptr || work.begin < first->begin) first = &work;
  }
  return first;
}

Ticks Overtaking::overlap(std::uint32_t die, Ticks from, Ticks until) const {
  const Ring<Work>& works = log_.of(die);
  Ticks sum{};
  Ticks done = from;
  for (std::size_t i = 0; i < works.size(); ++i) {
    // A fence takes no time, and stands behind all that was queued before it, not behind what begins before it.
    if (works[i].begin < from || works[i].kind() == WorkKind::fence) continue;
    sum += std::max(std::min(works[i].end, until) - std::max(works[i].begin, done), Ticks::zero());
    done = std::max(done, works[i].end);
  }
  return sum;
}

bool Overtaking::may_overtake(std::uint32_t die, const Work& next) {
  Next& known = next_[die];
  if (known.overtaken == 0 || known.sequence != next.sequence) known = {next.sequence, 0};
  if (known.overtaken == most_) return false;
  ++known.overtaken;
  return true;
}

void Overtaking::delay(std::uint32_t die, const Work& first, Ticks by, const Span& read) {
  Ring<Work>& works = log_.of(die);
  Timeline::Room room{.from = first.begin, .by = by, .done = read.end};
  moved_.clear();
  for (std::size_t i = 0; i < works.size(); ++i) {
    Work& work = works[i];
    if (work.begin >= first.begin) {
      work.begin += by;
      work.end += by;
      moved_.push_back(work.sequence);
    } else {
      const std::uint32_t plane = device_.segments[device_.segments.segment_of(work.page)].plane;
      if (timeline_.free_from(die, plane) == work.end) room.held |= 1U << plane;
    }
    room.done = std::max(room.done, work.end);
  }
  timeline_.make_room(die, read, room);
  if (by == Ticks::zero()) return;
  const std::uint32_t pages = device_.spec.pages_per_die();
  completions_.delay(moved_, {die * pages, (die + 1) * pages}, first.begin, by);
  if (meter_.observed()) meter_.delay(moved_, die, first.begin, by);
}

}  // namespace ftlab::hw::array
