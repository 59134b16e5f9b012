// What a record found on flash is worth. A record with one flipped bit is put right by its checksum; one that is intact
// but holds what no FMS writes is broken.
// Knows no flash and no table in memory; changes the copy it is given only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/volume/nor/media_format.h"

namespace ftlab::nor {

enum class RecordState : std::uint8_t {
  blank,
  intact,
  repaired,  ///< one bit was wrong; the copy is right now
  broken,    ///< torn, damaged, or never written by an FMS
};

/// Can be believed.
[[nodiscard]] constexpr bool readable(RecordState state) {
  return state == RecordState::intact || state == RecordState::repaired;
}

[[nodiscard]] RecordState examine(EraseHeader& header, std::uint32_t segment);
[[nodiscard]] RecordState examine(OpenRecord& open, std::uint32_t volume);
[[nodiscard]] RecordState examine(CheckedEntry& entry, std::uint32_t volume, std::uint32_t logical_pages);
[[nodiscard]] RecordState examine(Superblock& superblock);
[[nodiscard]] RecordState examine(LogEntry& entry, std::uint32_t segments);

/// The entry of a slot, from a segment's header with its entries.
[[nodiscard]] CheckedEntry entry_at(std::span<const std::byte> header, std::uint32_t slot, bool data_checksum);

/// What a slot holds by its entry.
enum class SlotContent : std::uint8_t {
  blank,
  page,     ///< counts unless another copy has a higher sequence
  nothing,  ///< void
  torn,     ///< the write of the entry was interrupted: legitimate for the last used slot only
  damaged,  ///< the entry of a page may have stood here
};
[[nodiscard]] SlotContent content_of(RecordState state, const CheckedEntry& entry);

/// Whether an erase, or the program of the erase header after it, can have left this when power was lost: both leave
/// every bit set that is set in any header of this volume.
[[nodiscard]] bool may_be_interrupted_erase(const SegmentHeader& header, const EraseHeader& expected);

}  // namespace ftlab::nor
