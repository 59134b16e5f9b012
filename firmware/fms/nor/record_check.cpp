// Repair by trial: CRC-32C over so few bytes tells every other pair of wrong bits from a single one.
#include "firmware/fms/nor/record_check.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace ftlab::fms {
namespace {

/// Flips each bit of the record up to `bytes` until it is intact; false when none helps, and the record is as before.
template <class Record>
bool repair_one_bit(Record& record, std::size_t bytes, std::uint32_t seed) {
  auto* const at = reinterpret_cast<unsigned char*>(&record);
  for (std::size_t bit = 0; bit < 8 * bytes; ++bit) {
    at[bit / 8] ^= static_cast<unsigned char>(1U << (bit % 8));
    if (intact(record, seed)) return true;
    at[bit / 8] ^= static_cast<unsigned char>(1U << (bit % 8));
  }
  return false;
}

template <class Record>
RecordState examine_check(Record& record, std::size_t bytes, std::uint32_t seed) {
  if (blank(record)) return RecordState::blank;
  if (intact(record, seed)) return RecordState::intact;
  return repair_one_bit(record, bytes, seed) ? RecordState::repaired : RecordState::broken;
}

bool given_away(std::uint64_t sequence) { return sequence > 0 && sequence < kNumberLimit; }

std::uint32_t zero_bits(std::span<const std::byte> bytes, std::span<const std::byte> where_set) {
  std::uint32_t zeros = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    zeros += static_cast<std::uint32_t>(std::popcount(std::to_integer<unsigned>(where_set[i] & ~bytes[i])));
  return zeros;
}

}  // namespace

RecordState examine(BirthRecord& birth, std::uint32_t segment) {
  const RecordState state = examine_check(birth, offsetof(BirthRecord, reserved2), 0);
  if (!readable(state)) return state;
  const bool plausible = birth.magic == kSegmentMagic && birth.segment == segment &&
                         birth.erase_count < kEraseCountLimit && given_away(birth.freed_sequence);
  return plausible ? state : RecordState::broken;
}

RecordState examine(OpenRecord& open, std::uint32_t volume) {
  const RecordState state = examine_check(open, sizeof open, volume);
  if (!readable(state)) return state;
  return given_away(open.sequence) && open.stamp < kNumberLimit ? state : RecordState::broken;
}

RecordState examine(CheckedEntry& entry, std::uint32_t volume, std::uint32_t logical_pages) {
  RecordState state = RecordState::blank;
  if (!blank(entry)) {
    state = RecordState::intact;
    if (!intact(entry, volume)) {
      // The marks lie between the checksum and what it covers last.
      const bool repaired = repair_one_bit(entry, offsetof(PageEntry, reserved), volume) || [&] {
        for (std::uint32_t bit = 0; bit < 32; ++bit) {
          entry.data_check ^= 1U << bit;
          if (intact(entry, volume)) return true;
          entry.data_check ^= 1U << bit;
        }
        return false;
      }();
      state = repaired ? RecordState::repaired : RecordState::broken;
    }
  }
  if (!readable(state)) return state;
  // A page that counts was written at least once.
  entry.updates = std::max<std::uint32_t>(entry.updates, 1);
  return entry.lpn < logical_pages && given_away(entry.sequence) && entry.stamp < kNumberLimit ? state
                                                                                               : RecordState::broken;
}

RecordState examine(Summary& summary) {
  const RecordState state = examine_check(summary, offsetof(Summary, formatted), 0);
  if (!readable(state)) return state;
  return summary.magic == kSummaryMagic && summary.erase_count < kEraseCountLimit ? state : RecordState::broken;
}

RecordState examine(LogEntry& entry, std::uint32_t segments) {
  const RecordState state = examine_check(entry, sizeof entry, 0);
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
  if (std::popcount(entry.reserved) < 15) return SlotContent::damaged;
  return is_cleared(entry.valid) ? SlotContent::nothing : SlotContent::torn;
}

bool may_be_interrupted_erase(const SegmentHeader& header, const BirthRecord& expected) {
  SegmentHeader known;
  std::memset(static_cast<void*>(&known), 0, sizeof known);
  known.birth = expected;
  known.birth.erase_count = 0;
  known.birth.freed_sequence = 0;
  known.birth.check = 0;
  known.open.reserved = kBlank16;
  known.marks.reserved = 0xFFFFFFFF;
  return zero_bits(std::as_bytes(std::span(&header, 1)), std::as_bytes(std::span(&known, 1))) == 0;
}

}  // namespace ftlab::fms
