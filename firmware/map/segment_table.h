// The lookup table of the papers: one row per segment, which of its slots hold valid pages, and the FIFO of free
// segments. Knows nothing of flash or policies; one watcher sees every change of what the segments hold.
// Invariants: valid == number of set bits <= used <= slots; a segment is in the FIFO exactly when its state is free.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/map/segment_info.h"
#include "firmware/map/segment_lists.h"
#include "firmware/map/segment_watcher.h"

namespace ftlab {

/// List a segment belongs to; what the numbers mean is the translation layer's business.
using StreamId = std::uint8_t;

struct SegmentRow {
  std::uint64_t opened_stamp = 0;     ///< policy clock when taken into use
  std::uint64_t opened_sequence = 0;  ///< medium-wide order of being taken into use
  std::uint32_t erase_count = 0;
  std::uint32_t next_free = kNone;
  std::uint16_t valid = 0;
  std::uint16_t used = 0;
  SegmentState state = SegmentState::free;
  StreamId stream = 0;
  bool retired = false;   ///< failed once: never program or erase again; reads still work
  bool cleaning = false;  ///< chosen as a victim, while others are that are cleaned together with it
};

class SegmentTable {
 public:
  void layout(Arena& arena, std::uint32_t segments, std::uint32_t slots) {
    slots_ = slots;
    words_ = (slots + 63) / 64;
    rows_ = arena.take<SegmentRow>(segments);
    valid_ = arena.take<std::uint64_t>(std::size_t{segments} * words_);
    slot_lpn_ = arena.take<std::uint32_t>(std::size_t{segments} * slots);
  }
  /// All rows as after construction.
  void clear();
  /// Reports every change to the watcher from now on; null: to nobody.
  void watch(SegmentWatcher* watcher) { watcher_ = watcher; }
  /// The same once the table is filled: first passes on every valid page, segments in the order in which they were
  /// taken into use, and of every state. `order`: room for a number per segment.
  void join(SegmentWatcher& watcher, std::span<std::uint32_t> order);

  [[nodiscard]] std::uint32_t segments() const { return static_cast<std::uint32_t>(rows_.size()); }
  [[nodiscard]] std::uint32_t slots() const { return slots_; }
  [[nodiscard]] SegmentRow& row(std::uint32_t segment) { return rows_[segment]; }
  [[nodiscard]] const SegmentRow& row(std::uint32_t segment) const { return rows_[segment]; }
  [[nodiscard]] std::span<const SegmentRow> rows() const { return rows_; }
  [[nodiscard]] std::uint32_t ppn(std::uint32_t segment, std::uint32_t slot) const { return segment * slots_ + slot; }
  [[nodiscard]] std::uint32_t segment_of(std::uint32_t ppn) const { return ppn / slots_; }
  [[nodiscard]] std::uint32_t& lpn_at(std::uint32_t ppn) { return slot_lpn_[ppn]; }
  [[nodiscard]] std::uint32_t lpn_at(std::uint32_t ppn) const { return slot_lpn_[ppn]; }

  [[nodiscard]] bool is_valid(std::uint32_t segment, std::uint32_t slot) const {
    return ((valid_[std::size_t{segment} * words_ + slot / 64] >> (slot % 64)) & 1U) != 0;
  }
  void set_valid(std::uint32_t segment, std::uint32_t slot) {
    valid_[std::size_t{segment} * words_ + slot / 64] |= std::uint64_t{1} << (slot % 64);
    SegmentRow& row = rows_[segment];
    ++row.valid;
    if (watcher_ != nullptr) watcher_->on_write(*this, segment, slot);
  }
  void drop_valid(std::uint32_t segment, std::uint32_t slot) {
    valid_[std::size_t{segment} * words_ + slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
    SegmentRow& row = rows_[segment];
    --row.valid;
    if (watcher_ != nullptr) watcher_->on_invalidate(*this, segment, slot);
  }
  void count_erase(std::uint32_t segment) {
    ++rows_[segment].erase_count;
    if (watcher_ != nullptr) watcher_->on_erase(*this, segment);
  }
  void set_state(std::uint32_t segment, SegmentState state) {
    rows_[segment].state = state;
    report_state(segment);
  }
  /// Chosen or not for a cleaning of several: no candidate meanwhile.
  void set_cleaning(std::uint32_t segment, bool cleaning) {
    rows_[segment].cleaning = cleaning;
    report_state(segment);
  }
  /// Calls f(slot) for each valid slot, ascending.
  template <class F>
  void for_each_valid(std::uint32_t segment, F&& f) const {
    for (std::uint32_t w = 0; w < words_; ++w)
      for (std::uint64_t bits = valid_[std::size_t{segment} * words_ + w]; bits != 0; bits &= bits - 1)
        f(w * 64 + static_cast<std::uint32_t>(std::countr_zero(bits)));
  }

  /// The lowest valid slot; kNone when there is none.
  [[nodiscard]] std::uint32_t first_valid(std::uint32_t segment) const {
    for (std::uint32_t w = 0; w < words_; ++w) {
      const std::uint64_t bits = valid_[std::size_t{segment} * words_ + w];
      if (bits != 0) return w * 64 + static_cast<std::uint32_t>(std::countr_zero(bits));
    }
    return kNone;
  }

  /// Free list, first in first out.
  void push_free(std::uint32_t segment);
  void remove_free(std::uint32_t segment);
  [[nodiscard]] std::uint32_t free_count() const { return free_count_; }
  [[nodiscard]] std::uint32_t first_free() const { return first_free_; }

 private:
  void report_state(std::uint32_t segment) {
    if (watcher_ != nullptr) watcher_->on_state(*this, segment);
  }

  std::span<SegmentRow> rows_;
  std::span<std::uint64_t> valid_;
  std::span<std::uint32_t> slot_lpn_;
  SegmentWatcher* watcher_ = nullptr;
  std::uint32_t slots_ = 1;
  std::uint32_t words_ = 1;
  std::uint32_t first_free_ = kNone;
  std::uint32_t last_free_ = kNone;
  std::uint32_t free_count_ = 0;
};

}  // namespace ftlab
