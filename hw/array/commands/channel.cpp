#include "hw/array/commands/channel.h"

#include <algorithm>

namespace ftlab::hw::array {

Ticks Channel::reserve_between(Ticks now, Ticks from, Ticks length) {
  forget_before(now);
  // The first that ends behind `from`; before it nothing is in the way.
  const auto end = taken_.begin() + count_;
  auto next = std::upper_bound(taken_.begin(), end, from, [](Ticks t, const Reservation& r) { return t < r.end; });
  Ticks begin = from;
  while (next != end && next->begin < begin + length) {
    begin = next->end;
    ++next;
  }
  insert(now, static_cast<std::uint32_t>(next - taken_.begin()), begin, begin + length);
  return begin;
}

void Channel::insert(Ticks now, std::uint32_t at, Ticks begin, Ticks end) {
  if (at == count_) return append(now, begin, end);
  const bool joins_before = at > 0 && joins(taken_[at - 1].end, begin);
  const bool joins_after = joins(end, taken_[at].begin);
  if (joins_before && joins_after) {
    taken_[at - 1].end = taken_[at].end;
    std::copy(taken_.begin() + at + 1, taken_.begin() + count_, taken_.begin() + at);
    --count_;
  } else if (joins_before) {
    taken_[at - 1].end = end;
  } else if (joins_after) {
    taken_[at].begin = begin;
  } else if (count_ == kMax) {
    close_smallest_gap();
    const auto next = std::upper_bound(taken_.begin(), taken_.begin() + count_, begin,
                                       [](Ticks t, const Reservation& r) { return t < r.end; });
    // The gap given up may be the one just found: then the reservation lies inside another one, as if it had come
    // first.
    if (next == taken_.begin() + count_ || next->begin >= end) {
      insert(now, static_cast<std::uint32_t>(next - taken_.begin()), begin, end);
    }
  } else {
    std::copy_backward(taken_.begin() + at, taken_.begin() + count_, taken_.begin() + count_ + 1);
    taken_[at] = {begin, end};
    ++count_;
  }
}

void Channel::forget_before(Ticks now) {
  std::uint32_t past = 0;
  while (past < count_ && taken_[past].end <= now) ++past;
  if (past == 0) return;
  std::copy(taken_.begin() + past, taken_.begin() + count_, taken_.begin());
  count_ -= past;
}

void Channel::close_smallest_gap() {
  std::uint32_t smallest = 1;
  for (std::uint32_t i = 2; i < count_; ++i) {
    if (taken_[i].begin - taken_[i - 1].end < taken_[smallest].begin - taken_[smallest - 1].end) smallest = i;
  }
  taken_[smallest - 1].end = taken_[smallest].end;
  std::copy(taken_.begin() + smallest + 1, taken_.begin() + count_, taken_.begin() + smallest);
  --count_;
}

}  // namespace ftlab::hw::array
