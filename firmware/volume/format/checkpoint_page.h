// A page of a checkpoint: a run of bytes of what the log knows, with a head and a check. The bytes are the map, then a
// row for each segment, then, where policies keep them, histories. Knows no flash and no log.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "firmware/base/crc32.h"
#include "firmware/base/little_endian.h"

namespace ftlab::volume {

/// Beside a page of a checkpoint, where other pages have their logical page; the segment's place in the checkpoint
/// stands above the stream.
inline constexpr std::uint32_t kCheckpointLpn = 0xFFFFFFFD;

struct CheckpointHead {
  Le32 magic = 0x504B4843;  // "CHKP"
  Le32 index = 0;           ///< of the page in the checkpoint
  Le64 sequence = 0;        ///< of the checkpoint: it has what was programmed before
  Le32 logical_pages = 0;
  Le32 check = 0;  ///< CRC-32C of the bytes before and of those behind the head
};
static_assert(sizeof(CheckpointHead) == 24 && offsetof(CheckpointHead, check) == 20);

/// What a checkpoint has of a segment.
struct CheckpointRow {
  static constexpr std::uint32_t kNotOpen = 0xFFFF;
  Le32 erases = 0;
  Le16 open_at = kNotOpen;  ///< pages used so far
  std::uint8_t stream = 0;
  std::uint8_t reads = 0xFF;  ///< of its pages since the erase, see Refreshes::share_of()
};
static_assert(sizeof(CheckpointRow) == 8);

/// What policies remember of a page, or when a segment was taken into use, or their clock, with its kind in the place
/// of updates.
struct CheckpointHistory {
  // In place of updates, of what is no page's: the stamp is the time of service, or how many segments were taken into
  // use.
  static constexpr std::uint32_t kLifetime = 2;
  static constexpr std::uint32_t kOpenings = 3;
  Le16 updates = 0;  ///< of a page
  Le16 stamp_high = 0;
  Le32 stamp_low = 0;

  CheckpointHistory() = default;
  /// Larger numbers than fit are the largest that do.
  CheckpointHistory(std::uint32_t count, std::uint64_t stamp)
      : updates(static_cast<std::uint16_t>(std::min<std::uint32_t>(count, 0xFFFF))),
        stamp_high(static_cast<std::uint16_t>(std::min(stamp >> 32, std::uint64_t{0xFFFF}))),
        stamp_low(stamp >> 48 != 0 ? 0xFFFFFFFF : static_cast<std::uint32_t>(stamp)) {}
  [[nodiscard]] std::uint64_t stamp() const { return stamp_low | std::uint64_t{stamp_high} << 32; }
};
static_assert(sizeof(CheckpointHistory) == 8);

/// Where things lie in the run of bytes, and how many pages that takes.
struct CheckpointLayout {
  std::uint64_t logical_pages = 0;
  std::uint32_t segments = 0;
  std::uint32_t page_bytes = 0;
  std::uint32_t pages_per_segment = 0;
  bool histories = false;
  bool lifetime = false;  ///< where there are no histories: two, of the time of service and of the uses of segments

  /// A multiple of a row, so that nothing lies across two pages.
  [[nodiscard]] std::uint32_t payload() const {
    constexpr std::uint32_t kHead = sizeof(CheckpointHead);
    return page_bytes > kHead ? (page_bytes - kHead) / 8 * 8 : 0;
  }
  [[nodiscard]] std::uint64_t map_bytes() const { return (logical_pages * 4 + 7) / 8 * 8; }
  [[nodiscard]] std::uint64_t rows_end() const { return map_bytes() + std::uint64_t{segments} * sizeof(CheckpointRow); }
  /// Behind the rows one history of the clock, one of each page and of each segment.
  [[nodiscard]] std::uint64_t bytes() const {
    const std::uint64_t all = histories ? logical_pages + segments + 1 : lifetime ? 2 : 0;
    return rows_end() + all * sizeof(CheckpointHistory);
  }
  [[nodiscard]] std::uint32_t pages() const {
    return payload() == 0 ? 0 : static_cast<std::uint32_t>((bytes() + payload() - 1) / payload());
  }
  /// Of a page, where the checkpoint lies in those segments.
  [[nodiscard]] std::uint32_t place_of(std::uint32_t index, std::span<const std::uint32_t> in) const {
    return in[index / pages_per_segment] * pages_per_segment + index % pages_per_segment;
  }
  [[nodiscard]] std::uint32_t segments_needed() const { return (pages() + pages_per_segment - 1) / pages_per_segment; }
};

inline std::uint32_t check_of(std::span<const std::byte> page) {
  constexpr std::size_t kHead = sizeof(CheckpointHead);
  return crc32c(page.data() + kHead, page.size() - kHead, crc32c(page.data(), offsetof(CheckpointHead, check)));
}

inline void seal_page(std::span<std::byte> page, CheckpointHead head) {
  std::memcpy(page.data(), &head, sizeof head);
  head.check = check_of(page);
  std::memcpy(page.data(), &head, sizeof head);
}

/// Page `index` of the checkpoint of that sequence.
[[nodiscard]] inline bool is_page(std::span<const std::byte> page, std::uint32_t index, std::uint64_t sequence,
                                  std::uint32_t logical_pages) {
  CheckpointHead head;
  std::memcpy(&head, page.data(), sizeof head);
  return head.magic == CheckpointHead{}.magic && head.index == index && head.sequence == sequence &&
         head.logical_pages == logical_pages && head.check == check_of(page);
}

}  // namespace ftlab::volume
