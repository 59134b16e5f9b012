// The fewest valid pages among the oldest segments of the group, a window of page.window of all its segments
// (Desnoyers, section 3.3).
#pragma once

#include <algorithm>

#include "firmware/volume/clean/selection.h"

namespace ftlab::volume {

class WindowedGreedy final : public Selection {
 public:
  explicit WindowedGreedy(const SelectionSetup& setup)
      : Selection(setup),
        waiting_(setup.pages_per_segment + 1),
        window_(std::max<std::uint32_t>(1, setup.config.window_segments)) {}

  void sealed(std::uint32_t segment, std::uint32_t group) override {
    s_.segments.put(segment, group, waiting_);
    fill(group);
  }
  std::uint32_t pick(std::uint32_t group) override { return s_.segments.lowest(group, waiting_); }
  void taken(std::uint32_t group, std::uint32_t bin) override {
    if (bin != waiting_) --in_window_[group];
    fill(group);
  }

  void layout(Arena& arena) { in_window_ = arena.take<std::uint32_t>(s_.groups); }
  void clear() override { std::ranges::fill(in_window_, 0); }

 private:
  void fill(std::uint32_t group) {
    while (in_window_[group] < window_) {
      const std::uint32_t oldest = s_.segments.first(group, waiting_);
      if (oldest == kNoSegment) return;
      s_.segments.move_to_bin(oldest, s_.segments.valid(oldest));
      ++in_window_[group];
    }
  }

  std::uint32_t waiting_;  ///< bin of those that are younger than the window
  std::uint32_t window_;
  std::span<std::uint32_t> in_window_;
};

}  // namespace ftlab::volume
