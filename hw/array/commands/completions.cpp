#include "hw/array/commands/completions.h"

#include <algorithm>

namespace ftlab::hw::array {

void Completions::delay(std::uint32_t sequence, Ticks by) {
  const auto begin = waiting_.begin() + static_cast<std::ptrdiff_t>(first_);
  const auto it =
      std::find_if(begin, waiting_.end(), [sequence](const Entry& entry) { return entry.sequence == sequence; });
  if (it == waiting_.end()) return;
  Entry later = *it;
  later.end += by;
  waiting_.erase(it);
  insert_between(later);
}

void Completions::delay(std::span<const std::uint32_t> sequences, Ticks by) {
  const auto begin = waiting_.begin() + static_cast<std::ptrdiff_t>(first_);
  bool moved = false;
  for (auto it = begin; it != waiting_.end(); ++it) {
    if (!std::ranges::binary_search(sequences, it->sequence, is_older)) continue;
    it->end += by;
    moved = true;
  }
  if (moved) std::sort(begin, waiting_.end(), before);
}

void Completions::clear() {
  waiting_.clear();
  first_ = 0;
  slots_.clear();
  unused_.clear();
}

std::uint32_t Completions::count_readable(Ticks now) const {
  const auto begin = waiting_.begin() + static_cast<std::ptrdiff_t>(first_);
  const auto ahead =
      std::upper_bound(begin, waiting_.end(), now, [](Ticks t, const Entry& entry) { return t < entry.end; });
  return static_cast<std::uint32_t>(ahead - begin);
}

Ticks Completions::next_after(Ticks now) const {
  const std::size_t ahead = first_ + count_readable(now);
  return ahead == waiting_.size() ? kNever : waiting_[ahead].end;
}

void Completions::insert_between(const Entry& entry) {
  // Most end not long before the last one, so that the search begins there.
  auto at = waiting_.end();
  const auto begin = waiting_.begin() + static_cast<std::ptrdiff_t>(first_);
  while (at != begin && before(entry, *(at - 1))) --at;
  waiting_.insert(at, entry);
}

void Completions::forget_read() {
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(first_));
  first_ = 0;
}

}  // namespace ftlab::hw::array
