// Carries pages between a segment of the array and memory: reads and programs are under way at the same time, as many
// as there are buffers, and are waited for together. Knows FlashPort; neither requests nor what a page means.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/port/flash_port.h"

namespace ftlab::in_place {

class SegmentTransfer {
 public:
  /// How the last read or program of a page ended.
  struct Ended {
    FlashStatus status = FlashStatus::ok;
    FlashMetadata metadata{};
  };

  explicit SegmentTransfer(FlashPort& array) : array_(array), geometry_(array.geometry()) {}
  void layout(Arena& arena);

  // `page`: counted through the array. All that is under way is of one segment, and of a page once. `bytes` stay as
  // they are until wait().
  /// `bytes` of the page from its byte `first` on.
  void read(std::uint32_t page, std::uint32_t first, std::span<std::byte> bytes);
  void program(std::uint32_t page, std::span<const std::byte> bytes, const FlashMetadata& metadata);
  /// Until all of them have ended.
  void wait();
  /// After wait().
  [[nodiscard]] const Ended& ended(std::uint32_t page) const { return ended_[page % geometry_.pages_per_segment]; }

  /// Erase, check or mark, to its end; nothing else is under way.
  FlashStatus run(FlashOpKind kind, std::uint32_t segment);

 private:
  static constexpr std::uint32_t kMaxUnderWay = 64;

  /// Of an operation under way; a part that keeps data has a buffer for each.
  struct Slot {
    std::uint32_t first = 0;
    std::span<std::byte> into;
  };
  [[nodiscard]] std::uint16_t buffer_of(std::uint16_t slot) const {
    return geometry_.buffers > 0 ? slot : FlashOp::kNoBuffer;
  }
  /// Waits as long as all are taken.
  std::uint16_t take_slot();
  void collect_some();
  void take_ended(const FlashDone& done);

  FlashPort& array_;
  FlashGeometry geometry_;
  std::span<Slot> slots_;
  std::span<std::uint16_t> free_;  ///< slots; the first free_count_ of them
  std::uint32_t free_count_ = 0;
  std::span<Ended> ended_;  ///< of each page of a segment
};

}  // namespace ftlab::in_place
