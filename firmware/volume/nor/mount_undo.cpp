// Recovery: copies that a newer one outranks, but whose marks are not cleared. Power was lost between a copy and what
// voids the original: the mark, or the erase of the victim.
#include <cstring>

#include "firmware/volume/nor/mount.h"

namespace ftlab::fms {

std::uint32_t Mount::last_opened_when_none_is_free() const {
  if (lost_ > 0) return kNone;
  std::uint32_t last = kNone;
  std::uint32_t torn_only = kNone;
  for (std::uint32_t id = 1; id < s_.geometry.segments; ++id) {
    const SegmentRow& row = s_.segments.row(id);
    if (row.state == SegmentState::free) return kNone;
    if ((row.state != SegmentState::open && row.state != SegmentState::sealed) || row.retired || row.stuck) continue;
    if (row.valid == 0 && (row.state == SegmentState::sealed || row.used == 0)) return kNone;  // as good as free
    if (row.valid == 0) torn_only = id;  // nothing to undo, but to erase
    if (last == kNone || row.opened_sequence > s_.segments.row(last).opened_sequence) last = id;
  }
  return torn_only != kNone ? torn_only : last;
}

/// A cleaning that was cut may have left nothing free, and each cut since has used up a slot, so that its copies may no
/// longer fit. Their originals are whole until the victim is erased: where each page of the segment opened last has
/// one, that one counts again, and the segment is erased. Until something is free originals are not voided.
void Mount::undo_copies() {
  const std::uint32_t undone = last_opened_when_none_is_free();
  if (undone == kNone) return void_superseded();
  for (std::uint32_t segment = 1; segment < s_.geometry.segments; ++segment) {
    if (segment == undone || !s_.segments.row(segment).unvoided || s_.segments.row(segment).stuck) continue;
    if (s_.io.read(segment, 0, s_.header_buffer.data(), static_cast<std::uint32_t>(s_.header_buffer.size())) !=
        FlashStatus::ok)
      continue;
    for (std::uint32_t slot = 0; slot < s_.slots; ++slot) {
      RecordState state{};
      const CheckedEntry found = entry(slot, state);
      if (content_of(state, found) != SlotContent::page) continue;
      const std::uint32_t ppn = s_.segments.ppn(segment, slot);
      if (!take_original(undone, ppn, found)) continue;
      const std::uint32_t copy = s_.pages.ppn(found.lpn);
      s_.segments.drop_valid(s_.segments.segment_of(copy), s_.segments.slot_of(copy));
      s_.segments.lpn_at(ppn) = found.lpn;
      s_.segments.set_valid(segment, slot);
      s_.pages.move(found.lpn, ppn);
    }
  }
  if (s_.segments.row(undone).valid > 0) return;
  s_.segments.row(undone).state = SegmentState::sealed;
  s_.segments.row(undone).used = 0;
  renew_later(undone);
}

bool Mount::take_original(std::uint32_t undone, std::uint32_t ppn, const CheckedEntry& entry) {
  const std::uint32_t now = s_.pages.ppn(entry.lpn);
  if (now == kUnmapped || now == ppn) return false;
  // Each host write has an update count of its own, and copies keep it.
  if (entry.updates != s_.pages.updates(entry.lpn) || entry.stamp != s_.pages.stamp(entry.lpn)) return false;
  if (s_.segments.segment_of(now) == undone) return true;
  // Taken already, from another segment: the newest of several.
  bool was_undone = false;
  for (std::uint32_t slot = 0; slot < s_.slots; ++slot)
    was_undone = was_undone || s_.segments.lpn_at(s_.segments.ppn(undone, slot)) == entry.lpn;
  return was_undone && entry.sequence > sequence_of(now);
}

void Mount::void_superseded() {
  for (std::uint32_t segment = 1; segment < s_.geometry.segments; ++segment) {
    SegmentRow& row = s_.segments.row(segment);
    if (!row.unvoided) continue;
    row.unvoided = false;
    if (s_.io.read(segment, 0, s_.header_buffer.data(), static_cast<std::uint32_t>(s_.header_buffer.size())) !=
        FlashStatus::ok)
      continue;
    for (std::uint32_t slot = 0; slot < s_.slots; ++slot) {
      RecordState state{};
      const CheckedEntry found = entry(slot, state);
      const std::uint32_t ppn = s_.segments.ppn(segment, slot);
      const SlotContent content = content_of(state, found);
      const bool superseded = content == SlotContent::page && s_.pages.ppn(found.lpn) != ppn;
      // A mark that was cut may read as cleared now, and did not when its copy was outranked.
      const bool half_cleared = content == SlotContent::nothing && found.valid != kCleared;
      if (superseded || half_cleared) (void)s_.medium->invalidate(ppn);
    }
  }
}

}  // namespace ftlab::fms
