#include "hw/array/commands/crossings.h"

namespace ftlab::hw::array {

Ticks Crossings::take_by_readiness(Ticks now, std::uint32_t die, Ticks ready, Ticks length) {
  forget_before(now);
  Ticks begin = ready;
  const auto first = may_reach(ready);
  for (auto other = first; other != ahead_.end(); ++other) {
    if (other->ready > ready || other->end <= begin) continue;
    if (other->begin >= begin + length) break;
    begin = other->end;
  }
  for (auto other = first; other != ahead_.end() && other->begin < begin + length; ++other)
    if (begin < other->end) unsettled_from_ = std::min(unsettled_from_, ready);
  add({ready, begin, begin + length, die});
  return begin;
}

Ticks Crossings::take_gap(Ticks now, std::uint32_t die, Ticks ready, Ticks length) {
  forget_before(now);
  const Ticks begin = earliest_gap(ready, length);
  add({ready, begin, begin + length, die, true});
  return begin;
}

Ticks Crossings::place(std::uint32_t die, Ticks ready, Ticks length) {
  const Ticks begin = earliest_gap(ready, length);
  add({ready, begin, begin + length, die});
  return begin;
}

Ticks Crossings::earliest_gap(Ticks ready, Ticks length) const {
  Ticks begin = ready;
  for (auto other = may_reach(ready); other != ahead_.end(); ++other) {
    if (other->end <= begin) continue;
    if (other->begin >= begin + length) break;
    begin = other->end;
  }
  return begin;
}

void Crossings::delay(std::uint32_t die, Ticks from, Ticks behind, Ticks by) {
  for (Crossing& one : ahead_) {
    if (one.die != die || one.stays || one.begin < from || one.end == behind) continue;
    // It may have waited for its channel, and waits for its die then.
    one.ready = std::max(one.ready + by, behind);
    one.begin += by;
    one.end += by;
    if (by > Ticks::zero()) unsettled_from_ = std::min(unsettled_from_, one.ready);
  }
  std::ranges::stable_sort(ahead_, {}, &Crossing::begin);
}

void Crossings::add(const Crossing& crossing) {
  longest_ = std::max(longest_, crossing.end - crossing.begin);
  ahead_.insert(std::ranges::upper_bound(ahead_, crossing.begin, {}, &Crossing::begin), crossing);
}

void Crossings::forget_before(Ticks now) {
  const auto ahead = std::ranges::find_if(ahead_, [now](const Crossing& one) { return one.end > now; });
  ahead_.erase(ahead_.begin(), ahead);
}

}  // namespace ftlab::hw::array
