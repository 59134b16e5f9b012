// What is known of one page on flash: whose it is, how new, how often written. Stored in the spare bytes of the page
// and again in the summary of its segment (docs/media-format.md).
// Knows no table in memory and no port.
// Invariant: encoded metadata names its volume through the checksum alone: of another volume it is just not intact.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "firmware/base/crc32.h"
#include "firmware/base/erased.h"
#include "firmware/base/little_endian.h"
#include "firmware/map/segment_table.h"

namespace ftlab::nand {

enum class PageKind : std::uint8_t {
  data = 1,        ///< a logical page
  summary = 2,     ///< all records of its segment
  checkpoint = 3,  ///< part of a checkpoint
};

/// One page of flash, in memory.
struct PageMetadata {
  std::uint32_t lpn = 0;          ///< data: logical page; checkpoint: index of the page in its checkpoint
  std::uint16_t updates = 0;      ///< host writes of this page, the first included; stays at 65535
  std::uint64_t sequence = 0;     ///< 40 bits; place in the medium-wide order: of two copies the higher counts
  std::uint64_t stamp = 0;        ///< 40 bits; policy clock at the last host write, the FTL's unit
  std::uint32_t file = 0;         ///< file or stream id of the host; checkpoint: pages of the checkpoint
  std::uint32_t erase_count = 0;  ///< 24 bits; of the segment it lies in
  std::uint32_t before = 0;       ///< 24 bits; logical page in the slot before, programmed just before, or kNoneBefore
  std::uint8_t distance = 0;      ///< its sequence to that one's: 1 to 63; 0: more, or no page before
  std::uint8_t region = 0;        ///< 0 to 31: stream or region of the FTL
  PageKind kind = PageKind::data;
  bool copied = false;             ///< moved here by the FTL; the host wrote it elsewhere
  PageMode mode = PageMode::full;  ///< of the segment it lies in
};

inline constexpr std::uint64_t kMax40 = 0xFFFFFFFFFF;
inline constexpr std::uint32_t kMax24 = 0xFFFFFF;
inline constexpr std::uint32_t kNoneBefore = kMax24;
inline constexpr std::uint64_t kMaxDistance = 63;

/// A host's update counter as metadata can hold it.
[[nodiscard]] constexpr std::uint16_t saturated(std::uint32_t updates) {
  return static_cast<std::uint16_t>(std::min<std::uint32_t>(updates, 0xFFFF));
}

/// The 32 spare bytes that a page leaves to its user.
struct OobTag {
  Le32 lpn;
  std::uint8_t sequence[5];
  std::uint8_t stamp[5];
  Le16 updates;
  Le32 file;
  std::uint8_t erase_count[3];
  std::uint8_t before[3];
  std::uint8_t region_and_distance;  ///< region's bits 0-1 in bits 0-1, distance in bits 2-7
  std::uint8_t kind_and_mode;        ///< kind in bits 0-2, copied in bit 3, mode in bit 4, then bits 2-4 of region
  Le32 check;                        ///< CRC-32C of the bytes before, seeded with the volume
};
static_assert(sizeof(OobTag) == 32 && offsetof(OobTag, sequence) == 4 && offsetof(OobTag, stamp) == 9 &&
              offsetof(OobTag, updates) == 14 && offsetof(OobTag, file) == 16 && offsetof(OobTag, erase_count) == 20 &&
              offsetof(OobTag, before) == 23 && offsetof(OobTag, region_and_distance) == 26 &&
              offsetof(OobTag, kind_and_mode) == 27 && offsetof(OobTag, check) == 28);

inline constexpr std::uint32_t kSpareBytes = sizeof(OobTag);

/// Made of four words: bytes that are stored one by one and read together keep a processor waiting.
[[nodiscard]] inline OobTag encode(const PageMetadata& metadata, std::uint32_t volume) {
  const std::uint64_t sequence = metadata.sequence & kMax40;
  const std::uint64_t stamp = metadata.stamp & kMax40;
  const std::uint64_t before = metadata.before & kMax24;
  const std::uint64_t region_and_distance = (metadata.region & 3U) | (metadata.distance << 2U & 0xFFU);
  const std::uint64_t kind_and_mode = static_cast<unsigned>(metadata.kind) | (metadata.copied ? 8U : 0U) |
                                      (static_cast<unsigned>(metadata.mode) << 4 & 0x10U) |
                                      (static_cast<unsigned>(metadata.region) << 3 & 0xE0U);
  std::array<Le64, sizeof(OobTag) / sizeof(Le64)> words{
      metadata.lpn | sequence << 32, sequence >> 32 | stamp << 8 | std::uint64_t{metadata.updates} << 48,
      metadata.file | std::uint64_t{std::min(metadata.erase_count, kMax24)} << 32 | before << 56,
      before >> 8 | region_and_distance << 16 | kind_and_mode << 24};
  words[3] = words[3] | std::uint64_t{crc32c(words.data(), offsetof(OobTag, check), volume)} << 32;
  return std::bit_cast<OobTag>(words);
}

/// False: torn, erased, of another volume, or not ours at all.
[[nodiscard]] inline bool decode(const OobTag& spare, std::uint32_t volume, PageMetadata& metadata) {
  if (spare.check != crc32c(&spare, offsetof(OobTag, check), volume)) return false;
  const unsigned kind = spare.kind_and_mode & 7U;
  const unsigned mode = spare.kind_and_mode >> 4 & 1U;
  if (kind < 1 || kind > 3) return false;
  metadata = {};
  metadata.lpn = spare.lpn;
  metadata.sequence = get_little_endian(spare.sequence);
  metadata.stamp = get_little_endian(spare.stamp);
  metadata.file = spare.file;
  metadata.erase_count = static_cast<std::uint32_t>(get_little_endian(spare.erase_count));
  metadata.before = static_cast<std::uint32_t>(get_little_endian(spare.before));
  metadata.updates = spare.updates;
  metadata.region = static_cast<std::uint8_t>((spare.region_and_distance & 3U) | (spare.kind_and_mode >> 3 & 0x1CU));
  metadata.distance = spare.region_and_distance >> 2U;
  metadata.kind = static_cast<PageKind>(kind);
  metadata.copied = (spare.kind_and_mode & 8U) != 0;
  metadata.mode = static_cast<PageMode>(mode);
  return true;
}

/// Every bit as an erase leaves it.
[[nodiscard]] inline bool blank(const OobTag& spare) { return all_erased(std::as_bytes(std::span(&spare, 1))); }

}  // namespace ftlab::nand
