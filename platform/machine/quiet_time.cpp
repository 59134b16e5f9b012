#include "platform/machine/quiet_time.h"

#include <algorithm>

namespace ftlab::platform {

void QuietTime::end(std::uint32_t device, Ticks start, Ticks end) {
  if (!counts_) return;
  const auto mine = std::ranges::find(under_way_, device, &Operation::device);
  if (mine != under_way_.end()) under_way_.erase(mine);
  add({start, std::max(start, end)});
}

void QuietTime::add(Stretch stretch) {
  // Nearly always the newest: look from the back.
  auto after = stretches_.end();
  while (after != stretches_.begin() && std::prev(after)->from - threshold_ > stretch.to) --after;
  auto first = after;
  while (first != stretches_.begin() && std::prev(first)->to + threshold_ >= stretch.from) --first;
  if (first == after) {
    stretches_.insert(after, stretch);
    return;
  }
  first->from = std::min(first->from, stretch.from);
  first->to = std::max(std::prev(after)->to, stretch.to);
  stretches_.erase(std::next(first), after);
}

void QuietTime::collect(Ticks start) {
  for (const Operation& operation : under_way_) start = std::min(start, operation.start);
  while (stretches_.size() > 1 && stretches_[1].from <= start) {
    low_power_ += stretches_[1].from - stretches_[0].to - threshold_;
    stretches_.pop_front();
  }
}

Ticks QuietTime::advance_to(Ticks now) {
  if (!counts_) return Ticks::zero();
  add({now, now});
  collect(now);
  const Ticks sum = low_power_;
  low_power_ = Ticks::zero();
  return sum;
}

}  // namespace ftlab::platform
