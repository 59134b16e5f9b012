#include "firmware/volume/nor/undo_copies.h"

#include "firmware/volume/nor/marks.h"

namespace ftlab::nor {

std::uint32_t UndoCopies::last_opened_when_none_is_free() const {
  std::uint32_t last = kNone;
  std::uint32_t torn_only = kNone;
  for (std::uint32_t id = 1; id < v_.geometry.segments; ++id) {
    const SegmentRow& row = v_.segments.row(id);
    if (row.state == SegmentState::free) return kNone;
    if ((row.state != SegmentState::open && row.state != SegmentState::sealed) || row.retired || row.unreadable)
      continue;
    if (row.valid == 0 && (row.state == SegmentState::sealed || row.used == 0)) return kNone;  // as good as free
    if (row.valid == 0) torn_only = id;  // nothing to undo, but to erase
    if (last == kNone || row.opened_sequence > v_.segments.row(last).opened_sequence) last = id;
  }
  return torn_only != kNone ? torn_only : last;
}

std::uint32_t UndoCopies::run(bool any_to_erase) {
  const std::uint32_t undone = any_to_erase ? kNone : last_opened_when_none_is_free();
  if (undone == kNone) {
    void_superseded();
    return kNone;
  }
  for (std::uint32_t segment = 1; segment < v_.geometry.segments; ++segment) {
    if (segment == undone || !v_.segments.row(segment).unvoided || v_.segments.row(segment).unreadable) continue;
    if (v_.io.read(segment, 0, v_.header_buffer) != FlashStatus::ok) continue;
    for (std::uint32_t slot = 0; slot < v_.slots; ++slot) {
      RecordState state{};
      const CheckedEntry found = entries_.entry(slot, state);
      if (content_of(state, found) != SlotContent::page) continue;
      const std::uint32_t ppn = v_.segments.ppn(segment, slot);
      if (!take_original(undone, ppn, found)) continue;
      const std::uint32_t copy = v_.pages.ppn(found.lpn);
      v_.segments.drop_valid(v_.segments.segment_of(copy), v_.segments.slot_of(copy));
      v_.segments.lpn_at(ppn) = found.lpn;
      v_.segments.set_valid(segment, slot);
      v_.pages.move(Lpn{found.lpn}, Ppn{ppn});
      // Its entry still counts: a mount with room would find it, even after a trim.
      v_.segments.row(undone).unvoided = true;
    }
  }
  if (v_.segments.row(undone).valid > 0) return kNone;
  v_.segments.set_state(undone, SegmentState::sealed);
  v_.segments.row(undone).used = 0;
  return undone;
}

bool UndoCopies::take_original(std::uint32_t undone, std::uint32_t ppn, const CheckedEntry& entry) {
  const std::uint32_t now = v_.pages.ppn(entry.lpn);
  if (now == kUnmapped || now == ppn) return false;
  // Each host write has an update count of its own, and copies keep it.
  if (entry.updates != v_.pages.updates(entry.lpn) || entry.stamp != v_.pages.stamp(entry.lpn)) return false;
  if (v_.segments.segment_of(now) == undone) return true;
  // Taken already, from another segment: the newest of several.
  bool was_undone = false;
  for (std::uint32_t slot = 0; slot < v_.slots; ++slot)
    was_undone = was_undone || v_.segments.lpn_at(v_.segments.ppn(undone, slot)) == entry.lpn;
  return was_undone && entry.sequence > entries_.sequence_of(now);
}

void UndoCopies::void_superseded() {
  for (std::uint32_t segment = 1; segment < v_.geometry.segments; ++segment) {
    SegmentRow& row = v_.segments.row(segment);
    if (!row.unvoided) continue;
    row.unvoided = false;
    if (v_.io.read(segment, 0, v_.header_buffer) != FlashStatus::ok) continue;
    for (std::uint32_t slot = 0; slot < v_.slots; ++slot) {
      RecordState state{};
      const CheckedEntry found = entries_.entry(slot, state);
      const std::uint32_t ppn = v_.segments.ppn(segment, slot);
      const SlotContent content = content_of(state, found);
      const bool superseded = content == SlotContent::page && v_.pages.ppn(found.lpn) != ppn;
      // A mark that power loss interrupted may read as cleared now, and did not when its copy was outranked.
      const bool half_cleared = content == SlotContent::nothing && is_half_cleared(found.valid);
      if (superseded || half_cleared) (void)v_.store->invalidate(ppn);
    }
  }
}

}  // namespace ftlab::nor
