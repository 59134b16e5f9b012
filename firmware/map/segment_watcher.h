// Whoever keeps something of what the segments hold, up to date with every change. Knows no table.
#pragma once

#include <cstdint>

namespace ftlab {

class SegmentView;

class SegmentWatcher {
 public:
  SegmentWatcher() = default;
  SegmentWatcher(const SegmentWatcher&) = delete;
  SegmentWatcher& operator=(const SegmentWatcher&) = delete;

  /// No segment holds a page.
  virtual void clear() {}
  /// One more page of the segment counts: written by the host, copied, or there when the volume was mounted. The table
  /// has it already.
  virtual void on_write(const SegmentView&, std::uint32_t /*segment*/) {}
  /// One counts no more. The table has it already.
  virtual void on_invalidate(const SegmentView&, std::uint32_t /*segment*/) {}
  /// The segment was erased, and that is counted.
  virtual void on_erase(const SegmentView&, std::uint32_t /*segment*/) {}
  /// The segment's state, or whether its pages can be read, may have changed. The table has it already.
  virtual void on_state(const SegmentView&, std::uint32_t /*segment*/) {}

 protected:
  ~SegmentWatcher() = default;
};

}  // namespace ftlab
