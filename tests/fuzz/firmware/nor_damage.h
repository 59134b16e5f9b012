// The NOR format as a thing to damage: fields of headers, entries and the fixed segment, and all their checksums.
#pragma once

#include <cstddef>
#include <cstring>

#include "firmware/volume/nor/media_format.h"
#include "firmware/volume/volume_config.h"
#include "tests/fixtures/emulated_flash.h"
#include "tests/fuzz/firmware/damage.h"

namespace ftlab::fuzz {

class NorDamage {
 public:
  using Flash = tests::EmulatedFlash;

  template <class Config>
  NorDamage(const FlashGeometry& geometry, const Config& config)
      : geometry_(geometry),
        page_bytes_(config.page_bytes),
        slots_(usable_slots(geometry, config.page_bytes, config.data_checksum)),
        checked_(config.data_checksum) {}

  [[nodiscard]] std::span<std::byte> bytes(Flash& flash, std::uint32_t segment) const {
    return {flash.bytes(segment), geometry_.segment_bytes};
  }
  void touched(Flash&, std::uint32_t) const {}

  void field(Flash& flash, std::uint32_t segment, Input& in) {
    struct Field {
      std::uint32_t at;
      std::uint32_t size;
    };
    using namespace nor;
    static constexpr Field kHeader[] = {
        {offsetof(EraseHeader, magic), 4},
        {offsetof(EraseHeader, version), 2},
        {offsetof(EraseHeader, volume), 4},
        {offsetof(EraseHeader, segment), 4},
        {offsetof(EraseHeader, logical_pages), 4},
        {offsetof(EraseHeader, erase_count), 4},
        {offsetof(EraseHeader, freed_sequence), 8},
        {offsetof(SegmentHeader, open) + offsetof(OpenRecord, stamp), 8},
        {offsetof(SegmentHeader, open) + offsetof(OpenRecord, sequence), 8},
        {offsetof(SegmentHeader, open) + offsetof(OpenRecord, stream), 2},
        {offsetof(SegmentHeader, marks) + offsetof(SegmentMarks, retired), 2},
        {offsetof(SegmentHeader, marks) + offsetof(SegmentMarks, dead), 2},
    };
    static constexpr Field kEntry[] = {
        {offsetof(PageEntry, lpn), 4},      {offsetof(PageEntry, updates), 4}, {offsetof(PageEntry, stamp), 8},
        {offsetof(PageEntry, sequence), 8}, {offsetof(PageEntry, valid), 2},
    };
    static constexpr Field kSuperblock[] = {
        {offsetof(Superblock, magic), 4},         {offsetof(Superblock, version), 2},
        {offsetof(Superblock, kind), 1},          {offsetof(Superblock, volume), 4},
        {offsetof(Superblock, segments), 4},      {offsetof(Superblock, page_bytes), 4},
        {offsetof(Superblock, logical_pages), 4}, {offsetof(Superblock, erase_count), 4},
        {offsetof(Superblock, formatted), 2},
    };
    const auto pick = [&in](auto& fields) { return fields[in.below(std::size(fields))]; };
    Field field{};
    if (segment == kFixedSegment && in.one_in(2)) {
      field = pick(kSuperblock);
    } else if (segment == kFixedSegment) {
      // Counts and log are words.
      field = {kCountsOffset + 4 * in.below(geometry_.segments + 64), in.one_in(2) ? 2U : 4U};
    } else if (in.one_in(3)) {
      field = pick(kHeader);
    } else {
      field = pick(kEntry);
      field.at += entry_at(in.below(slots_));
    }
    put_number(bytes(flash, segment).subspan(field.at, field.size), draw_number(in, geometry_.segments));
  }

  void seal(Flash& flash, std::uint32_t segment) {
    std::byte* const at = flash.bytes(segment);
    if (segment == nor::kFixedSegment) return seal_fixed(at);
    seal_at<nor::EraseHeader>(at);
    seal_at<nor::OpenRecord>(at + offsetof(nor::SegmentHeader, open), kFirstVolume);
    for (std::uint32_t slot = 0; slot < slots_; ++slot) {
      std::byte* const entry = at + entry_at(slot);
      if (!checked_) {
        seal_at<nor::PageEntry>(entry, kFirstVolume);
        continue;
      }
      const std::size_t page = geometry_.segment_bytes - std::size_t{slots_ - slot} * page_bytes_;
      const std::uint32_t check = crc32c(at + page, page_bytes_);
      if (!is_blank(entry)) std::memcpy(entry + sizeof(nor::PageEntry), &check, sizeof check);
      seal_at<nor::CheckedEntry>(entry, kFirstVolume);
    }
  }

 private:
  static constexpr std::uint32_t kFirstVolume = 1;

  [[nodiscard]] std::uint32_t entry_at(std::uint32_t slot) const {
    return nor::kEntriesOffset + nor::entry_bytes(checked_) * slot;
  }
  [[nodiscard]] static bool is_blank(const std::byte* entry) {
    nor::CheckedEntry record;
    std::memcpy(&record, entry, sizeof record);
    return nor::blank(record);
  }

  /// What is blank stays blank.
  template <class Record>
  static void seal_at(std::byte* at, std::uint32_t seed = 0) {
    Record record;
    std::memcpy(&record, at, sizeof record);
    if (nor::blank(record)) return;
    nor::seal(record, seed);
    std::memcpy(at, &record, sizeof record);
  }

  void seal_fixed(std::byte* at) {
    const std::uint32_t counts = crc32c(at + nor::kCountsOffset, 4 * std::size_t{geometry_.segments});
    std::memcpy(at + offsetof(nor::Superblock, counts_check), &counts, sizeof counts);
    seal_at<nor::Superblock>(at);
    for (std::uint32_t log = nor::log_offset(geometry_.segments);
         log + sizeof(nor::LogEntry) <= geometry_.segment_bytes; log += sizeof(nor::LogEntry))
      seal_at<nor::LogEntry>(at + log);
  }

  FlashGeometry geometry_;
  std::uint32_t page_bytes_;
  std::uint32_t slots_;
  bool checked_;
};

}  // namespace ftlab::fuzz
