// Pages that a power loss, or a failing operation, may take although they were acknowledged: a layer that updates in
// place has them in no other place while it writes their segment anew. Other layers expose none.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "firmware/driver/common/part_port.h"

namespace ftlab::tests {

template <class Layer>
class Exposure {
 public:
  Exposure(const typename Layer::Flash& flash, const typename Layer::Config& config) : flash_(flash), config_(config) {}

  void begin_request() {
    pages_.clear();
    erased_.reset();
  }
  /// The operation is about to take effect: all of a segment that was erased for the request, else what is programmed.
  void note(const PartOp& op) {
    if constexpr (requires { Layer::pages_at(flash_, config_, op.segment, 0U, 0U); }) {
      if (op.kind == PartOpKind::erase) erased_ = op.segment;
      pages_ = erased_ == op.segment ? Layer::pages_at(flash_, config_, op.segment, 0, flash_.geometry().segment_bytes)
                                     : Layer::pages_at(flash_, config_, op.segment, op.offset, op.length);
    }
  }
  [[nodiscard]] const std::vector<std::uint32_t>& pages() const { return pages_; }

 private:
  const typename Layer::Flash& flash_;
  const typename Layer::Config& config_;
  std::vector<std::uint32_t> pages_;
  std::optional<SegmentId> erased_;
};

}  // namespace ftlab::tests
