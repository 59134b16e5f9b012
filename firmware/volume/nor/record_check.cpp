// CRC-32C over so few bytes distinguishes every pair of wrong bits from a single one.
#include "firmware/volume/nor/record_check.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace ftlab::nor {
namespace {

/// Puts one wrong bit right, in the checksum or in what it covers: `before` bytes of the record, then `behind` more at
/// `rest`. False when one bit does not explain it.
template <class Record>
bool repair_one_bit(Record& record, std::size_t before, std::uint32_t volume, void* rest = nullptr,
                    std::size_t behind = 0) {
  const std::uint32_t difference = record.check ^ check_of(record, volume);
  if (std::has_single_bit(difference)) {
    record.check = record.check ^ difference;
    return true;
  }
  const auto bit = crc32c_wrong_bit(difference, before + behind);
  if (!bit) return false;
  auto* const at = static_cast<unsigned char*>(*bit / 8 < before ? static_cast<void*>(&record) : rest);
  at[*bit / 8 - (*bit / 8 < before ? 0 : before)] ^= static_cast<unsigned char>(1U << (*bit % 8));
  return true;
}

template <class Record>
RecordState examine_check(Record& record, std::uint32_t volume) {
  if (blank(record)) return RecordState::blank;
  if (intact(record, volume)) return RecordState::intact;
  return repair_one_bit(record, offsetof(Record, check), volume) ? RecordState::repaired : RecordState::broken;
}

bool given_away(std::uint64_t sequence) { return sequence > 0 && sequence < kNumberLimit; }

std::uint32_t zero_bits(std::span<const std::byte> bytes, std::span<const std::byte> where_set) {
  std::uint32_t zeros = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    zeros += static_cast<std::uint32_t>(std::popcount(std::to_integer<unsigned>(where_set[i] & ~bytes[i])));
  return zeros;
}

}  // namespace

RecordState examine(EraseHeader& header, std::uint32_t segment) {
  const RecordState state = examine_check(header, 0);
  if (!readable(state)) return state;
  const bool plausible = header.magic == kSegmentMagic && header.segment == segment && header.volume < kVolumeLimit &&
                         header.erase_count < kEraseCountLimit && given_away(header.freed_sequence);
  return plausible ? state : RecordState::broken;
}

RecordState examine(OpenRecord& open, std::uint32_t volume) {
  const RecordState state = examine_check(open, volume);
  if (!readable(state)) return state;
  return given_away(open.sequence) && open.stamp < kNumberLimit ? state : RecordState::broken;
}

RecordState examine(CheckedEntry& entry, std::uint32_t volume, std::uint32_t logical_pages) {
  RecordState state = RecordState::blank;
  if (!blank(entry)) {
    state = RecordState::intact;
    if (!intact(entry, volume)) {
      // The marks lie between the checksum and what it covers last.
      const bool repaired =
          repair_one_bit(entry, offsetof(PageEntry, check), volume, &entry.data_check, sizeof entry.data_check);
      state = repaired ? RecordState::repaired : RecordState::broken;
    }
  }
  if (!readable(state)) return state;
  // A page that counts was written at least once.
  entry.updates = std::max<std::uint32_t>(entry.updates, 1);
  return entry.lpn < logical_pages && given_away(entry.sequence) && entry.stamp < kNumberLimit ? state
                                                                                               : RecordState::broken;
}

RecordState examine(Superblock& superblock) {
  const RecordState state = examine_check(superblock, 0);
  if (!readable(state)) return state;
  const bool plausible = superblock.magic == kSuperblockMagic && superblock.volume < kVolumeLimit &&
                         superblock.erase_count < kEraseCountLimit;
  return plausible ? state : RecordState::broken;
}

RecordState examine(LogEntry& entry, std::uint32_t segments) {
  const RecordState state = examine_check(entry, 0);
  if (!readable(state)) return state;
  const bool plausible =
      entry.segment != kFixedSegment && entry.segment < segments && entry.erase_count < kEraseCountLimit;
  return plausible ? state : RecordState::broken;
}

CheckedEntry entry_at(std::span<const std::byte> header, std::uint32_t slot, bool data_checksum) {
  CheckedEntry entry;
  const std::uint32_t bytes = entry_bytes(data_checksum);
  std::memcpy(static_cast<void*>(&entry), header.data() + kEntriesOffset + std::size_t{bytes} * slot, bytes);
  return entry;
}

SlotContent content_of(RecordState state, const CheckedEntry& entry) {
  if (state == RecordState::blank) return SlotContent::blank;
  if (readable(state)) return is_cleared(entry.valid) ? SlotContent::nothing : SlotContent::page;
  // No step of ours clears these bits.
  if (std::popcount(std::uint16_t{entry.reserved}) < 15) return SlotContent::damaged;
  return is_cleared(entry.valid) ? SlotContent::nothing : SlotContent::torn;
}

bool may_be_interrupted_erase(const SegmentHeader& header, const EraseHeader& expected) {
  SegmentHeader known;
  std::memset(static_cast<void*>(&known), 0, sizeof known);
  known.erase = expected;
  known.erase.erase_count = 0;
  known.erase.freed_sequence = 0;
  known.erase.check = 0;
  known.open.reserved = kBlank16;
  known.marks.reserved = 0xFFFFFFFF;
  return zero_bits(std::as_bytes(std::span(&header, 1)), std::as_bytes(std::span(&known, 1))) == 0;
}

}  // namespace ftlab::nor
