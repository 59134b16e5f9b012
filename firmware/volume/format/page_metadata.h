// What the log keeps beside each page, 16 bytes, and the marks that stand where a place would. Knows no flash.
#pragma once

#include <cstdint>

#include "firmware/port/flash_port.h"

namespace ftlab::volume {

inline constexpr std::uint32_t kUnmapped = 0xFFFFFFFF;
/// Of a page whose place is gone, as a checkpoint says.
inline constexpr std::uint32_t kLost = 0xFFFFFFFE;
[[nodiscard]] constexpr bool has_place(std::uint32_t ppn) { return ppn < kLost; }

/// The upper bits of a sequence: which format the page was programmed after.
inline constexpr std::uint32_t kVolumeShift = 48;
[[nodiscard]] constexpr std::uint64_t volume_of(std::uint64_t sequence) { return sequence >> kVolumeShift; }
/// How many pages were programmed since that format.
[[nodiscard]] constexpr std::uint64_t number_of(std::uint64_t sequence) {
  return sequence & ((std::uint64_t{1} << kVolumeShift) - 1);
}
/// Programs since the format; beside a page the bits between them and the volume are `before`'s.
inline constexpr std::uint32_t kSequenceBits = 40;
/// From here on a volume takes nothing from the host, as sequences would run over; copies that are under way have the
/// rest. It takes 2^40 programs to get here, or damage that a mount believes.
inline constexpr std::uint64_t kSequencesSpent = (std::uint64_t{1} << kSequenceBits) - (std::uint64_t{1} << 24);
inline constexpr std::uint64_t kBeforeInHigh = std::uint64_t{0xFF} << kSequenceBits;

/// What is kept beside a page, and the stream it went to: whose it is, and when it was programmed. Copies count, too,
/// so that of two places of the same page the one programmed last holds its newest version. `before`: whose newest
/// version lay in the same place of the program unit before by then, so that a mount knows what a place that says
/// nothing has held.
[[nodiscard]] constexpr FlashMetadata metadata_of(std::uint32_t lpn, std::uint32_t stream, std::uint64_t sequence,
                                                  std::uint32_t before = kUnmapped) {
  const std::uint32_t named = before + 1;  // 0: nobody's
  return {lpn | std::uint64_t{stream} << 32 | std::uint64_t{named} << 40,
          sequence | std::uint64_t{named >> 24} << kSequenceBits};
}
[[nodiscard]] constexpr bool is_known(const FlashMetadata& metadata) { return metadata.high != ~0ULL; }
[[nodiscard]] constexpr std::uint64_t sequence_of(const FlashMetadata& metadata) {
  return metadata.high & ~kBeforeInHigh;
}
/// kUnmapped: nobody's.
[[nodiscard]] constexpr std::uint32_t before_of(const FlashMetadata& metadata) {
  const auto upper = static_cast<std::uint32_t>((metadata.high & kBeforeInHigh) >> kSequenceBits << 24);
  return (static_cast<std::uint32_t>(metadata.low >> 40) | upper) - 1;
}
[[nodiscard]] constexpr std::uint32_t stream_of(const FlashMetadata& metadata) {
  return static_cast<std::uint32_t>(metadata.low >> 32) & 0xFF;
}
/// In the number of a stream, beside pages and in checkpoints: the segment is filled as SLC, its LSB pages alone.
inline constexpr std::uint32_t kSlcStream = 0x80;
[[nodiscard]] constexpr std::uint32_t lpn_of(const FlashMetadata& metadata) {
  return static_cast<std::uint32_t>(metadata.low);
}

/// A page that holds nothing: it fills a program unit.
inline constexpr std::uint32_t kPaddingLpn = 0xFFFFFFFB;

/// Of the newest version of a page that a mount has found. Not written before one is: what never mounts needs no
/// memory.
struct FoundSequence {
  // NOLINTNEXTLINE(modernize-use-equals-default): a default one would set it to 0.
  FoundSequence() {}
  std::uint64_t value;
};

/// A page of a format that was programmed before anything was erased: nothing older counts.
inline constexpr std::uint32_t kFormatLpn = 0xFFFFFFFC;

}  // namespace ftlab::volume
