// Reset, how a watcher joins, and what it is told.
#include "firmware/map/segment_table.h"

#include <algorithm>

#include "firmware/map/segment_view.h"

namespace ftlab {

void SegmentTable::layout(Arena& arena, const Shape& shape) {
  shape_ = shape;
  per_die_ = shape.segments / shape.dies;
  records_ = arena.take<SegmentRecord>(shape.segments);
  open_ = arena.take<OpenSegment>(std::size_t{shape.dies} * shape.streams);
  watchers_ = arena.take<SegmentWatcher*>(shape.dies);
  free_.layout(arena, shape.segments, shape.dies);
}

void SegmentTable::clear() {
  std::ranges::fill(records_, SegmentRecord{});
  std::ranges::fill(open_, OpenSegment{});
  std::ranges::fill(watchers_, nullptr);
  watched_ = false;
  lists_.clear();
  free_.clear();
}

void SegmentTable::join(std::uint32_t die, SegmentWatcher& watcher, std::span<std::uint32_t> order) {
  const SegmentView segments = view(die);
  std::uint32_t count = 0;
  for (std::uint32_t id = 0; id < segments.segments(); ++id)
    if (segments.row(id).valid > 0) order[count++] = id;
  std::sort(order.begin(), order.begin() + count, [&](std::uint32_t a, std::uint32_t b) {
    const std::uint64_t sa = segments.row(a).opened_sequence;
    const std::uint64_t sb = segments.row(b).opened_sequence;
    return sa != sb ? sa < sb : a < b;
  });
  watcher.clear();
  for (const std::uint32_t id : order.first(count))
    for (std::uint32_t page = 0; page < segments.row(id).valid; ++page) watcher.on_write(segments, id);
  for (std::uint32_t id = 0; id < segments.segments(); ++id) watcher.on_state(segments, id);
  watch(die, &watcher);
}

void SegmentTable::count_erase(std::uint32_t segment) {
  ++records_[segment].erase_count;
  const std::uint32_t die = die_of(segment);
  if (is_watched()) watchers_[die]->on_erase(view(die), segment - die * per_die_);
}

void SegmentTable::tell_write(std::uint32_t segment) {
  const std::uint32_t die = die_of(segment);
  watchers_[die]->on_write(view(die), segment - die * per_die_);
}

void SegmentTable::tell_invalidate(std::uint32_t segment) {
  const std::uint32_t die = die_of(segment);
  watchers_[die]->on_invalidate(view(die), segment - die * per_die_);
}

void SegmentTable::tell_state(std::uint32_t segment) {
  const std::uint32_t die = die_of(segment);
  watchers_[die]->on_state(view(die), segment - die * per_die_);
}

}  // namespace ftlab
