// A segment in memory: its pages come from the array and go there, as many at once as there are buffers, and are waited
// for together. Knows FlashPort; neither requests nor what a page means.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/port/flash_port.h"
#include "firmware/volume/in_flight/slots.h"

namespace ftlab::volume {

class SegmentBuffer {
 public:
  /// How the last read or program of a page ended.
  struct Ended {
    bool ok = true;
    FlashMetadata metadata{};  ///< of a whole page that was read
  };

  SegmentBuffer(FlashPort& array, std::uint32_t page_bytes)
      : array_(array), geometry_(array.geometry()), page_bytes_(page_bytes) {}
  /// The page size fits the part.
  void layout(Arena& arena);

  [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }
  [[nodiscard]] std::span<std::byte> page(std::uint32_t page) const {
    return bytes_.subspan(std::size_t{page} * page_bytes_, page_bytes_);
  }
  void make_blank(std::uint32_t page);

  // All that is under way is of one segment, and of a page once.
  void load(std::uint32_t segment, std::uint32_t page) { read(segment, page, 0, this->page(page)); }
  /// From byte `skip` of the page on, to somewhere else.
  void read(std::uint32_t segment, std::uint32_t page, std::uint32_t skip, std::span<std::byte> into);
  void store(std::uint32_t segment, std::uint32_t page, const FlashMetadata& metadata);
  /// Until all of them have ended.
  void wait();
  /// After wait().
  [[nodiscard]] const Ended& ended(std::uint32_t page) const { return ended_[page]; }

 private:
  static constexpr std::uint32_t kMaxUnderWay = 64;

  /// Where the bytes of a read go, from the array's page's byte `first` on.
  struct Target {
    std::uint32_t first = 0;
    std::span<std::byte> into;
  };
  /// Of the nth of the array's pages in the segment. A part that keeps data has a buffer for each operation under way.
  void begin(std::uint32_t segment, std::uint32_t nth, FlashOp op, const Target& target,
             std::span<const std::byte> from = {});
  void take_some();

  FlashPort& array_;
  FlashGeometry geometry_;
  std::uint32_t page_bytes_;
  std::uint32_t parts_ = 0;  ///< pages of the array in a page
  std::span<std::byte> bytes_;
  std::span<Ended> ended_;     ///< of each page
  std::span<Target> targets_;  ///< of each operation under way
  Slots free_;
};

}  // namespace ftlab::volume
