// Recovery: what the entries of one segment say. Its header with all entries is in the header buffer.
#include <algorithm>
#include <array>
#include <bit>

#include "firmware/base/erased.h"
#include "firmware/volume/nor/mount.h"

namespace ftlab::fms {
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

CheckedEntry Mount::entry(std::uint32_t slot, RecordState& state) const {
  CheckedEntry found = entry_at(s_.header_buffer, slot, s_.config.data_checksum);
  state = examine(found, s_.volume, s_.pages.size());
  return found;
}

std::uint32_t Mount::used_slots() const {
  for (std::uint32_t slot = s_.slots; slot > 0; --slot)
    if (const CheckedEntry found = entry_at(s_.header_buffer, slot - 1, s_.config.data_checksum);
        !nearly_blank(std::as_bytes(std::span(&found, 1))))
      return slot;
  return 0;
}

bool Mount::any_page() const {
  for (std::uint32_t slot = 0; slot < s_.slots; ++slot) {
    RecordState state{};
    (void)entry(slot, state);
    if (readable(state)) return true;
  }
  return false;
}

bool Mount::holds_data(std::uint32_t segment, std::uint32_t first_slot) {
  std::array<std::byte, 16> begin;
  for (std::uint32_t slot = first_slot; slot < s_.slots; ++slot) {
    if (s_.io.read(segment, s_.data_offset(slot), begin.data(), begin.size()) != FlashStatus::ok) return true;
    if (!nearly_blank(begin)) return true;
  }
  return false;
}

/// The open record is gone. Stream as logged, if it was; age of the oldest page.
void Mount::open_from_entries(std::uint32_t segment) {
  SegmentRow& row = s_.segments.row(segment);
  row.opened_stamp = row.opened_sequence = kNumberLimit;
  for (std::uint32_t slot = 0; slot < s_.slots; ++slot) {
    RecordState state{};
    const CheckedEntry found = entry(slot, state);
    if (!readable(state)) continue;
    row.opened_stamp = std::min(row.opened_stamp, found.stamp);
    row.opened_sequence = std::min(row.opened_sequence, found.sequence);
  }
}

void Mount::read_entries(std::uint32_t segment) {
  SegmentRow& row = s_.segments.row(segment);
  std::uint32_t used = used_slots();
  // An entry of which power loss left hardly a trace, or flipped bits where none was yet.
  if (used < s_.slots && !blank(entry_at(s_.header_buffer, used, s_.config.data_checksum))) ++used;
  for (std::uint32_t slot = used; slot < s_.slots; ++slot)
    if (!blank(entry_at(s_.header_buffer, slot, s_.config.data_checksum))) row.refresh = true;
  row.used = static_cast<std::uint16_t>(used);
  bool damaged = false;
  for (std::uint32_t slot = 0; slot < used; ++slot) {
    RecordState state{};
    const CheckedEntry found = entry(slot, state);
    row.refresh = row.refresh || state == RecordState::repaired;
    if (readable(state)) {
      s_.sequence = std::max(s_.sequence, found.sequence);
      s_.clock = std::max(s_.clock, found.stamp);
    }
    switch (content_of(state, found)) {
      case SlotContent::page:
        claim(segment, slot, found);
        break;
      case SlotContent::nothing:
        if (found.valid != kCleared) void_slot(segment, slot);  // finish what a cut began
        break;
      case SlotContent::torn:
        if (slot + 1 == used) {
          void_slot(segment, slot);  // never acknowledged; from now on told from damage
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
  } else if (row.retired || row.refresh || used == s_.slots) {
    row.used = static_cast<std::uint16_t>(s_.slots);
  } else {
    row.state = SegmentState::open;  // choose_active() decides whether it is still being filled
  }
}

void Mount::void_slot(std::uint32_t segment, std::uint32_t slot) {
  const FlashStatus status =
      s_.io.program(segment, s_.entry_offset(slot) + offsetof(PageEntry, valid), &kCleared, sizeof kCleared);
  if (is_media_failure(status)) pool_.retire(segment);
}

std::uint64_t Mount::sequence_of(std::uint32_t ppn) {
  CheckedEntry found;
  const std::uint32_t slot = s_.segments.slot_of(ppn);
  (void)s_.io.read(s_.segments.segment_of(ppn), s_.entry_offset(slot), reinterpret_cast<std::byte*>(&found),
                   entry_bytes(s_.config.data_checksum));
  (void)examine(found, s_.volume, s_.pages.size());
  return found.sequence;
}

void Mount::claim(std::uint32_t segment, std::uint32_t slot, const CheckedEntry& entry) {
  const std::uint32_t ppn = s_.segments.ppn(segment, slot);
  s_.segments.lpn_at(ppn) = entry.lpn;
  const std::uint32_t other = s_.pages.ppn(entry.lpn);
  if (other != kUnmapped) {
    // Voided later: mount_undo.cpp.
    if (sequence_of(other) > entry.sequence) {
      s_.segments.row(segment).unvoided = true;
      return;
    }
    s_.segments.row(s_.segments.segment_of(other)).unvoided = true;
    s_.segments.drop_valid(s_.segments.segment_of(other), s_.segments.slot_of(other));
  }
  s_.segments.set_valid(segment, slot);
  s_.pages.map(entry.lpn, ppn, entry.updates, entry.stamp);
}

}  // namespace ftlab::fms
