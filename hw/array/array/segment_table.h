// What every segment remembers without supply, packed, and where segments and pages are in the array.
// Knows nothing of time, data or why something is done to a segment. A segment is the erase block of one plane.
#pragma once

#include <cstdint>
#include <vector>

#include "hw/array/spec/spec.h"

namespace ftlab::hw::array {

namespace segment_flag {
inline constexpr std::uint8_t kBad = 1;           ///< marked, at the factory or by mark_bad
inline constexpr std::uint8_t kTorn = 2;          ///< its erase was interrupted: nothing can be read until the next one
inline constexpr std::uint8_t kUnreadable = 4;    ///< some of its pages may be in UnreadablePages
inline constexpr std::uint8_t kProgramFails = 8;  ///< worn out, as programs show
inline constexpr std::uint8_t kEraseFails = 16;   ///< worn out, as erases show
inline constexpr std::uint8_t kWearsByErase = 32;  ///< how it will show
inline constexpr std::uint8_t kLsbAlone = 64;      ///< LSB units alone are programmed, the others are left out
/// Those that make an operation end otherwise than well.
inline constexpr std::uint8_t kTrouble = kBad | kTorn | kUnreadable | kProgramFails | kEraseFails;
}  // namespace segment_flag

struct Segment {
  std::uint32_t erase_count = 0;
  std::uint32_t limit = 0;      ///< fails from this many cycles on
  std::uint16_t next_page = 0;  ///< to be programmed; pages below are, or with kLsbAlone are left out
  std::uint16_t die = 0;
  std::uint16_t program_scale = 0;  ///< program time over the nominal one, in units of 1 / kUnscaled
  std::uint8_t plane = 0;           ///< of its die
  std::uint8_t flags = 0;

  static constexpr std::uint16_t kUnscaled = 1 << 14;
  [[nodiscard]] bool has(std::uint8_t flag) const { return (flags & flag) != 0; }
};
static_assert(sizeof(Segment) == 16);

struct PageAddress {
  std::uint32_t segment = 0;
  std::uint32_t page = 0;  ///< of the segment
};

class SegmentTable {
 public:
  explicit SegmentTable(const ArraySpec& spec);

  [[nodiscard]] Segment& operator[](std::uint32_t segment) { return segments_[segment]; }
  [[nodiscard]] const Segment& operator[](std::uint32_t segment) const { return segments_[segment]; }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(segments_.size()); }
  [[nodiscard]] std::uint32_t pages() const { return pages_; }
  [[nodiscard]] std::uint32_t pages_per_segment() const { return pages_per_segment_; }

  /// `page` counts through the array and is in it.
  [[nodiscard]] PageAddress locate(std::uint32_t page) const {
    const std::uint32_t segment = segment_of(page);
    return {segment, page - segment * pages_per_segment_};
  }
  [[nodiscard]] std::uint32_t segment_of(std::uint32_t page) const {
    __extension__ using Wide = unsigned __int128;
    // A division would cost more than the rest of an operation.
    return pages_per_segment_ == 1 ? page : static_cast<std::uint32_t>(Wide{reciprocal_} * page >> 64);
  }

 private:
  std::uint32_t pages_per_segment_;
  std::uint32_t pages_;
  std::uint64_t reciprocal_;  ///< of pages_per_segment, times 2^64, rounded up
  std::vector<Segment> segments_;
};

}  // namespace ftlab::hw::array
