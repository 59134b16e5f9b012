// Free list, reset, and how a watcher joins.
#include "firmware/map/segment_table.h"

#include <algorithm>

namespace ftlab {

void SegmentTable::clear() {
  std::fill(rows_.begin(), rows_.end(), SegmentRow{});
  std::fill(valid_.begin(), valid_.end(), 0);
  std::fill(slot_lpn_.begin(), slot_lpn_.end(), kNone);
  first_free_ = last_free_ = kNone;
  free_count_ = 0;
  if (watcher_ != nullptr) watcher_->clear();
}

void SegmentTable::push_free(std::uint32_t segment) {
  SegmentRow& r = rows_[segment];
  r.next_free = kNone;
  (first_free_ == kNone ? first_free_ : rows_[last_free_].next_free) = segment;
  last_free_ = segment;
  ++free_count_;
  set_state(segment, SegmentState::free);
}

void SegmentTable::remove_free(std::uint32_t segment) {
  std::uint32_t before = kNone;
  for (std::uint32_t at = first_free_; at != segment; at = rows_[at].next_free) before = at;
  const std::uint32_t after = rows_[segment].next_free;
  (before == kNone ? first_free_ : rows_[before].next_free) = after;
  if (last_free_ == segment) last_free_ = before;
  rows_[segment].next_free = kNone;
  --free_count_;
}

void SegmentTable::join(SegmentWatcher& watcher, std::span<std::uint32_t> order) {
  std::uint32_t count = 0;
  for (std::uint32_t id = 0; id < segments(); ++id)
    if (rows_[id].valid > 0) order[count++] = id;
  std::sort(order.begin(), order.begin() + count, [this](std::uint32_t a, std::uint32_t b) {
    const std::uint64_t sa = rows_[a].opened_sequence;
    const std::uint64_t sb = rows_[b].opened_sequence;
    return sa != sb ? sa < sb : a < b;
  });
  watcher.clear();
  for (const std::uint32_t id : order.first(count))
    for_each_valid(id, [&](std::uint32_t slot) { watcher.on_write(*this, id, slot); });
  for (std::uint32_t id = 0; id < segments(); ++id) watcher.on_state(*this, id);
  watcher_ = &watcher;
}

}  // namespace ftlab
