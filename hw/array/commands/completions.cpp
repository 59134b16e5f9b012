#include "hw/array/commands/completions.h"

#include <algorithm>

namespace ftlab::hw::array {

void Completions::add(Ticks end, std::uint32_t sequence, const Completion& completion) {
  waiting_.push_back({end, order_++, sequence, completion});
  std::push_heap(waiting_.begin(), waiting_.end(), Later{});
}

void Completions::delay(std::uint32_t sequence, Ticks by) {
  for (Entry& entry : waiting_) {
    if (entry.sequence != sequence) continue;
    entry.end += by;
    std::make_heap(waiting_.begin(), waiting_.end(), Later{});
    return;
  }
}

std::uint32_t Completions::count_readable(Ticks now) const {
  if (!readable(now)) return 0;
  return static_cast<std::uint32_t>(
      std::count_if(waiting_.begin(), waiting_.end(), [now](const Entry& entry) { return entry.end <= now; }));
}

Ticks Completions::next_after(Ticks now) const {
  if (earliest() > now) return earliest();
  Ticks next = kNever;
  for (const Entry& entry : waiting_) {
    if (entry.end > now) next = std::min(next, entry.end);
  }
  return next;
}

Completion Completions::take(Ticks now) {
  if (!readable(now)) return {};
  std::pop_heap(waiting_.begin(), waiting_.end(), Later{});
  const Completion oldest = waiting_.back().completion;
  waiting_.pop_back();
  return oldest;
}

}  // namespace ftlab::hw::array
