// The fewest valid pages first (Desnoyers, section 3.2); of equals the one that has had so few the longest.
#pragma once

#include "firmware/volume/clean/selection.h"

namespace ftlab::volume {

class Greedy final : public Selection {
 public:
  using Selection::Selection;
  void sealed(std::uint32_t segment, std::uint32_t group) override {
    s_.segments.put(segment, group, s_.segments.valid(segment));
  }
  std::uint32_t pick(std::uint32_t group) override { return s_.segments.lowest(group, s_.pages_per_segment + 1); }
};

}  // namespace ftlab::volume
