// Pages, rows and words of checkpoints: the body as words, so that any part of it can cross a page.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "firmware/base/crc32.h"
#include "firmware/port/flash_port.h"
#include "firmware/volume/nand/checkpoint_format.h"

namespace ftlab::nand {

// StoredRow::flags
inline constexpr std::uint8_t kLsbOnlyFlag = 1;
inline constexpr std::uint8_t kRetiredFlag = 2;
inline constexpr std::uint8_t kFailedFlag = 4;

template <class T>
std::uint32_t word_of(const T& thing, std::size_t index) {
  Le32 word;
  std::memcpy(&word, reinterpret_cast<const std::byte*>(&thing) + 4 * index, 4);
  return word;
}

template <class T>
void set_word(T& thing, std::size_t index, Le32 word) {
  std::memcpy(reinterpret_cast<std::byte*>(&thing) + 4 * index, &word, 4);
}

inline constexpr std::uint32_t kReadsUnit = 128;

inline StoredRow packed(const CheckpointRow& row) {
  const std::uint32_t used = row.state == SegmentState::open ? row.used : 0;
  return {row.erase_count,
          static_cast<std::uint8_t>(std::min<std::uint32_t>((row.reads + kReadsUnit - 1) / kReadsUnit, 0xFF)),
          static_cast<std::uint8_t>(used), static_cast<std::uint8_t>(row.state),
          static_cast<std::uint8_t>((row.mode == PageMode::lsb_only ? kLsbOnlyFlag : 0U) |
                                    (row.retired ? kRetiredFlag : 0U))};
}

inline CheckpointRow unpacked(const StoredRow& row) {
  return {row.erase_count,
          std::uint32_t{row.reads} * kReadsUnit,
          row.used,
          static_cast<SegmentState>(row.state),
          (row.flags & kLsbOnlyFlag) != 0 ? PageMode::lsb_only : PageMode::full,
          (row.flags & kRetiredFlag) != 0};
}

/// Puts the head in front of a page whose body is there.
inline void seal_checkpoint_page(std::span<std::byte> page, std::uint32_t number, std::uint32_t index,
                                 std::uint32_t pages) {
  CheckpointPageHead head{kCheckpointMagic, number, static_cast<std::uint16_t>(index),
                          static_cast<std::uint16_t>(pages), 0};
  head.check =
      crc32c(page.data() + sizeof head, page.size() - sizeof head, crc32c(&head, offsetof(CheckpointPageHead, check)));
  std::memcpy(page.data(), &head, sizeof head);
}

/// Of a segment: checkpoints take no others.
[[nodiscard]] inline std::uint32_t lsb_pages(const FlashGeometry& geometry) {
  return geometry.segment_bytes / geometry.program_unit_bytes / (geometry.paired_page.empty() ? 1U : 2U);
}

inline constexpr std::uint32_t kHeadWords = sizeof(CheckpointHead) / 4;
inline constexpr std::uint32_t kRowWords = sizeof(StoredRow) / 4;

}  // namespace ftlab::nand
