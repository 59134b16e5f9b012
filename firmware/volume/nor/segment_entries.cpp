#include "firmware/volume/nor/segment_entries.h"

#include <algorithm>
#include <array>
#include <bit>

#include "firmware/base/erased.h"
#include "firmware/volume/nor/marks.h"

namespace ftlab::nor {
namespace {

/// More zero bits than this in what should be blank are somebody's data.
constexpr std::uint32_t kFlippedBits = 8;

bool nearly_blank(std::span<const std::byte> bytes) {
  if (all_erased(bytes)) return true;
  std::uint32_t zeros = 0;
  for (const std::byte b : bytes) {
    if (b == std::byte{0xFF}) continue;
    zeros += static_cast<std::uint32_t>(std::popcount(0xFFU & ~std::to_integer<unsigned>(b)));
    if (zeros > kFlippedBits) return false;
  }
  return true;
}

}  // namespace

CheckedEntry SegmentEntries::entry(std::uint32_t slot, RecordState& state) const {
  CheckedEntry found = entry_at(v_.header_buffer, slot, v_.config.data_checksum);
  state = examine(found, v_.number, v_.pages.size());
  return found;
}

std::uint32_t SegmentEntries::used_slots() const {
  for (std::uint32_t slot = v_.slots; slot > 0; --slot)
    if (const CheckedEntry found = entry_at(v_.header_buffer, slot - 1, v_.config.data_checksum);
        !nearly_blank(std::as_bytes(std::span(&found, 1))))
      return slot;
  return 0;
}

bool SegmentEntries::any_page() const {
  for (std::uint32_t slot = 0; slot < v_.slots; ++slot) {
    RecordState state{};
    (void)entry(slot, state);
    if (readable(state)) return true;
  }
  return false;
}

bool SegmentEntries::holds_data(std::uint32_t segment, std::uint32_t first_slot) {
  std::array<std::byte, 16> begin;
  for (std::uint32_t slot = first_slot; slot < v_.slots; ++slot) {
    if (v_.io.read(segment, v_.data_offset(slot), begin) != FlashStatus::ok) return true;
    if (!nearly_blank(begin)) return true;
  }
  return false;
}

/// The open record is gone. Stream as logged, if it was; age of the oldest page.
void SegmentEntries::open_from_entries(std::uint32_t segment) {
  SegmentRow& row = v_.segments.row(segment);
  row.opened_stamp = row.opened_sequence = kNumberLimit;
  for (std::uint32_t slot = 0; slot < v_.slots; ++slot) {
    RecordState state{};
    const CheckedEntry found = entry(slot, state);
    if (!readable(state)) continue;
    row.opened_stamp = std::min<std::uint64_t>(row.opened_stamp, found.stamp);
    row.opened_sequence = std::min<std::uint64_t>(row.opened_sequence, found.sequence);
  }
}

void SegmentEntries::read(std::uint32_t segment) {
  SegmentRow& row = v_.segments.row(segment);
  std::uint32_t used = used_slots();
  // An entry of which power loss left hardly a trace, or flipped bits where none was yet.
  if (used < v_.slots && !blank(entry_at(v_.header_buffer, used, v_.config.data_checksum))) ++used;
  for (std::uint32_t slot = used; slot < v_.slots; ++slot)
    if (!blank(entry_at(v_.header_buffer, slot, v_.config.data_checksum))) row.refresh = true;
  row.used = static_cast<std::uint16_t>(used);
  bool damaged = false;
  for (std::uint32_t slot = 0; slot < used; ++slot) {
    RecordState state{};
    CheckedEntry found = entry(slot, state);
    found.valid = settled_mark(v_.io, segment, v_.entry_offset(slot) + offsetof(PageEntry, valid), found.valid);
    row.refresh = row.refresh || state == RecordState::repaired || is_one_bit_off(found.valid);
    if (readable(state)) {
      v_.sequence = std::max<std::uint64_t>(v_.sequence, found.sequence);
      v_.clock = std::max<std::uint64_t>(v_.clock, found.stamp);
    }
    switch (content_of(state, found)) {
      case SlotContent::page:
        claim(segment, slot, found);
        break;
      case SlotContent::nothing:
        if (is_half_cleared(found.valid)) void_slot(segment, slot);  // finish what power loss interrupted
        break;
      case SlotContent::torn:
        if (slot + 1 == used) {
          void_slot(segment, slot);  // never acknowledged; from now on it can be distinguished from damage
          break;
        }
        [[fallthrough]];
      case SlotContent::blank:  // slots are used one after the other
      case SlotContent::damaged:
        damaged = true;
        break;
    }
  }
  if (damaged) {
    put_aside(segment);
  } else if (row.retired || row.refresh || used == v_.slots) {
    row.used = static_cast<std::uint16_t>(v_.slots);
  } else {
    v_.segments.set_state(segment, SegmentState::open);  // ResumeStreams decides whether it is still being filled
  }
}

void SegmentEntries::void_slot(std::uint32_t segment, std::uint32_t slot) {
  const FlashStatus status =
      v_.io.program(segment, v_.entry_offset(slot) + offsetof(PageEntry, valid), &kCleared, sizeof kCleared);
  if (is_media_failure(status)) pool_.retire(segment);
}

std::uint64_t SegmentEntries::sequence_of(std::uint32_t ppn) {
  CheckedEntry found;
  const std::uint32_t slot = v_.segments.slot_of(ppn);
  const std::span<std::byte> bytes = std::as_writable_bytes(std::span(&found, 1));
  (void)v_.io.read(v_.segments.segment_of(ppn), v_.entry_offset(slot),
                   bytes.first(entry_bytes(v_.config.data_checksum)));
  (void)examine(found, v_.number, v_.pages.size());
  return found.sequence;
}

void SegmentEntries::claim(std::uint32_t segment, std::uint32_t slot, const CheckedEntry& entry) {
  const std::uint32_t ppn = v_.segments.ppn(segment, slot);
  v_.segments.lpn_at(ppn) = entry.lpn;
  const std::uint32_t other = v_.pages.ppn(entry.lpn);
  if (other != kUnmapped) {
    // Voided later: UndoCopies.
    if (sequence_of(other) > entry.sequence) {
      v_.segments.row(segment).unvoided = true;
      return;
    }
    v_.segments.row(v_.segments.segment_of(other)).unvoided = true;
    v_.segments.drop_valid(v_.segments.segment_of(other), v_.segments.slot_of(other));
  }
  v_.segments.set_valid(segment, slot);
  v_.pages.map(Lpn{entry.lpn}, Ppn{ppn}, entry.updates, entry.stamp);
}

void SegmentEntries::put_aside(std::uint32_t segment) {
  v_.segments.row(segment).used = static_cast<std::uint16_t>(v_.slots);
  v_.segments.put_aside(segment);
  pages_lost_ = true;
}

}  // namespace ftlab::nor
