#include "hw/array/commands/completions.h"

#include <algorithm>

namespace ftlab::hw::array {

void Completions::delay(std::span<const std::uint32_t> sequences, PageRange pages, Ticks from, Ticks by) {
  // From the youngest on, so that what ended before is not looked at: those that stay close up behind.
  delayed_.clear();
  std::size_t next = waiting_.size();
  std::size_t kept = next;
  for (; next > first_ && waiting_[next - 1].end > from; --next) {
    const Entry& entry = waiting_[next - 1];
    const Completion& completion = slots_[entry.slot];
    const std::uint32_t page = completion.op == Op::copy ? completion.target : completion.page;
    if (pages.has(page) && std::ranges::binary_search(sequences, entry.sequence, is_older))
      delayed_.push_back({entry.end + by, entry.sequence, entry.slot});
    else
      waiting_[--kept] = entry;
  }
  // The gap before `kept` is as long as what was taken out, youngest first.
  while (!delayed_.empty()) {
    const Entry& oldest = delayed_.back();
    while (kept < waiting_.size() && before(waiting_[kept], oldest)) waiting_[next++] = waiting_[kept++];
    waiting_[next++] = oldest;
    delayed_.pop_back();
  }
}

const MovedWork* Completions::find(std::span<const MovedWork> works, const Entry& entry,
                                   std::uint32_t pages_per_die) const {
  const Completion& completion = slots_[entry.slot];
  const std::uint32_t page = completion.op == Op::copy ? completion.target : completion.page;
  const auto end_here = [&](const MovedWork& work) {
    return work.end_before == entry.end && work.die == page / pages_per_die;
  };
  auto work = std::ranges::lower_bound(works, entry.sequence, is_older, &MovedWork::sequence);
  for (; work != works.end() && work->sequence == entry.sequence; ++work)
    if (end_here(*work)) return &*work;
  return nullptr;
}

void Completions::sort_from(std::size_t first) {
  for (std::size_t i = std::max(first, first_ + 1); i < waiting_.size(); ++i) {
    const Entry entry = waiting_[i];
    std::size_t at = i;
    for (; at > first_ && before(entry, waiting_[at - 1]); --at) waiting_[at] = waiting_[at - 1];
    waiting_[at] = entry;
  }
}

void Completions::clear() {
  waiting_.clear();
  first_ = 0;
  slots_.clear();
  unused_.clear();
}

Ticks Completions::next_after(Ticks now) const {
  const std::size_t ahead = first_ + count_readable(now);
  return ahead == waiting_.size() ? kNever : waiting_[ahead].end;
}

void Completions::insert_between(const Entry& entry) {
  // Most end not long before the last one, so that the search begins there, and moves what it passes.
  waiting_.emplace_back();
  Entry* at = &waiting_.back();
  for (const Entry* const begin = &waiting_[first_]; at != begin && before(entry, *(at - 1)); --at) *at = *(at - 1);
  *at = entry;
}

void Completions::add_slot() {
  unused_.push_back(static_cast<std::uint32_t>(slots_.size()));
  slots_.emplace_back();
}

void Completions::make_room() {
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(first_));
  first_ = 0;
  // Seldom again: what was read is forgotten once for many.
  if (waiting_.size() >= waiting_.capacity() / 2) waiting_.reserve(std::max<std::size_t>(2 * waiting_.capacity(), 64));
}

}  // namespace ftlab::hw::array
