// Least recently written first: segments are cleaned in the order in which they became full (Desnoyers, section 3.1).
#pragma once

#include "firmware/volume/clean/selection.h"

namespace ftlab::volume {

class Lru final : public Selection {
 public:
  using Selection::Selection;
  void sealed(std::uint32_t segment, std::uint32_t group) override { s_.segments.put(segment, group, 0); }
  std::uint32_t pick(std::uint32_t group) override { return s_.segments.first(group, 0); }
};

}  // namespace ftlab::volume
