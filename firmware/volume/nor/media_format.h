// Every byte the FMS puts on flash; docs/media-format.md says why. Little-endian, offsets fixed by assertion.
// Knows no flash, no table in memory. A word that "is cleared" goes from 0xFFFF to 0 in place. It counts as cleared
// once two of its bits are: one flipped bit does not clear it. More bits would leave marks that power loss stopped on
// the way in doubt: their cells may read as set now and as cleared later.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "firmware/base/crc32.h"
#include "firmware/base/erased.h"
#include "firmware/base/little_endian.h"

namespace ftlab::nor {

inline constexpr std::uint32_t kSegmentMagic = 0x31534D46;     // "FMS1"
inline constexpr std::uint32_t kSuperblockMagic = 0x58534D46;  // "FMSX"
inline constexpr std::uint16_t kFormatVersion = 2;
inline constexpr std::uint16_t kCleared = 0;
inline constexpr std::uint16_t kBlank16 = 0xFFFF;
inline constexpr std::uint32_t kFixedSegment = 0;

[[nodiscard]] constexpr bool is_cleared(std::uint16_t mark) { return std::popcount(mark) <= 14; }

/// Sequence numbers and stamps stay below, erase counts below kEraseCountLimit: more was not written by an FMS. A
/// volume that has used up half of the sequence numbers takes no more writes.
inline constexpr std::uint64_t kNumberLimit = std::uint64_t{1} << 63;
inline constexpr std::uint32_t kEraseCountLimit = std::uint32_t{1} << 31;
inline constexpr std::uint32_t kVolumeLimit = std::uint32_t{1} << 31;

/// Written at once after each erase.
struct EraseHeader {
  Le32 magic = kSegmentMagic;
  Le16 version = kFormatVersion;
  Le16 entry_bytes = 0;
  Le32 volume = 0;
  Le32 segment = 0;
  Le32 page_bytes = 0;
  Le32 logical_pages = 0;
  Le32 erase_count = 0;
  Le32 reserved = 0xFFFFFFFF;
  Le64 freed_sequence = 0;  ///< order in which segments joined the free list
  Le32 check = 0;           ///< CRC-32C of the bytes before
  Le32 reserved2 = 0xFFFFFFFF;
};
static_assert(sizeof(EraseHeader) == 48 && offsetof(EraseHeader, freed_sequence) == 32 &&
              offsetof(EraseHeader, check) == 40);

/// Written when the segment is taken into use.
struct OpenRecord {
  Le64 stamp = 0;     ///< policy clock
  Le64 sequence = 0;  ///< monotonic over the whole medium
  Le16 stream = 0;    ///< of the layer
  Le16 reserved = 0xFFFF;
  Le32 check = 0;  ///< CRC-32C of the bytes before, from check_seed()
};
static_assert(sizeof(OpenRecord) == 24 && offsetof(OpenRecord, check) == 20);

/// Cleared word by word, never written otherwise.
struct SegmentMarks {
  Le16 retired = kBlank16;  ///< cleared: a program or erase failed here; never program or erase again
  Le16 dead = kBlank16;     ///< cleared: every entry is void, newer copies are durable elsewhere
  Le32 reserved = 0xFFFFFFFF;
};
static_assert(sizeof(SegmentMarks) == 8);

/// One per data slot, written after the slot's data: the commit of a page.
struct PageEntry {
  Le32 lpn = 0;
  Le32 updates = 0;   ///< host writes of this page, the first included
  Le64 stamp = 0;     ///< policy clock at the last host write
  Le64 sequence = 0;  ///< of two valid copies the higher one counts
  Le32 check = 0;     ///< CRC-32C of the bytes before, from check_seed(); then of data_check
  Le16 reserved = kBlank16;
  Le16 valid = kBlank16;  ///< cleared: a newer copy is committed, or the page was trimmed
};
static_assert(sizeof(PageEntry) == 32 && offsetof(PageEntry, check) == 24 && offsetof(PageEntry, valid) == 30);

/// An entry as volumes with page checksums have it; others have the first 32 bytes, and the rest counts as blank.
struct CheckedEntry : PageEntry {
  Le32 data_check = 0xFFFFFFFF;  ///< CRC-32C of the page
  Le32 reserved2 = 0xFFFFFFFF;
};
static_assert(sizeof(CheckedEntry) == 40);

[[nodiscard]] constexpr std::uint32_t entry_bytes(bool data_checksum) {
  return data_checksum ? sizeof(CheckedEntry) : sizeof(PageEntry);
}

struct SegmentHeader {
  EraseHeader erase;
  OpenRecord open;
  SegmentMarks marks;
};
static_assert(sizeof(SegmentHeader) == 80 && offsetof(SegmentHeader, open) == 48 &&
              offsetof(SegmentHeader, marks) == 72);

inline constexpr std::uint32_t kEntriesOffset = sizeof(SegmentHeader);

enum class SuperblockKind : std::uint8_t {
  complete = 1,    ///< the medium is formatted
  formatting = 2,  ///< formatted only once the `formatted` word is cleared
};

/// At the start of the fixed segment; the erase counts of all segments follow, then the log.
struct Superblock {
  Le32 magic = kSuperblockMagic;
  Le16 version = kFormatVersion;
  std::uint8_t kind = 0;
  std::uint8_t entry_bytes = 0;
  Le32 volume = 0;
  Le32 segments = 0;
  Le32 segment_bytes = 0;
  Le32 page_bytes = 0;
  Le32 logical_pages = 0;
  Le32 erase_count = 0;   ///< of the fixed segment itself
  Le32 counts_check = 0;  ///< CRC-32C of the count table
  Le32 check = 0;         ///< CRC-32C of the bytes before
  Le16 formatted = kBlank16;
  Le16 reserved = kBlank16;
  Le32 reserved2 = 0xFFFFFFFF;
};
static_assert(sizeof(Superblock) == 48 && offsetof(Superblock, check) == 36 && offsetof(Superblock, formatted) == 40);

inline constexpr std::uint32_t kCountsOffset = sizeof(Superblock);
inline constexpr std::uint16_t kNoStream = 0xFFFE;
inline constexpr std::uint16_t kErasing = 0xFFFD;

/// "This segment is now the active one of this stream." Only a hint; holds the erase count as a second copy.
struct LogEntry {
  /// kNoStream: opened, but nobody's active segment. kErasing: void as a whole, and about to be erased.
  Le16 stream = 0;
  Le16 reserved = 0;
  Le32 segment = 0;
  Le32 erase_count = 0;
  Le32 check = 0;  ///< CRC-32C of the bytes before
};
static_assert(sizeof(LogEntry) == 16 && offsetof(LogEntry, check) == 12);

constexpr std::uint32_t log_offset(std::uint32_t segments) { return (kCountsOffset + 4 * segments + 15) / 16 * 16; }

/// What checksums of a volume start from. Numbers that differ in one bit give seeds that differ in many: to a checksum
/// another seed is as good as other first bytes, and one wrong bit is put right.
[[nodiscard]] constexpr std::uint32_t check_seed(std::uint32_t volume) { return volume * 0x9E3779B1U; }

/// `volume`: its number for records that must not be taken for another volume's, else 0.
template <class Record>
[[nodiscard]] std::uint32_t check_of(const Record& record, std::uint32_t volume = 0) {
  return crc32c(&record, offsetof(Record, check), check_seed(volume));
}
[[nodiscard]] inline std::uint32_t check_of(const CheckedEntry& entry, std::uint32_t volume) {
  return crc32c(&entry.data_check, sizeof entry.data_check,
                crc32c(&entry, offsetof(PageEntry, check), check_seed(volume)));
}

template <class Record>
void seal(Record& record, std::uint32_t volume = 0) {
  record.check = check_of(record, volume);
}

template <class Record>
[[nodiscard]] bool intact(const Record& record, std::uint32_t volume = 0) {
  return record.check == check_of(record, volume);
}

template <class Record>
[[nodiscard]] bool blank(const Record& record) {
  return all_erased(std::as_bytes(std::span(&record, 1)));
}

}  // namespace ftlab::nor
