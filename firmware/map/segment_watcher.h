// Whoever keeps something of what the segments hold, up to date with every change. Knows no table.
#pragma once

#include <cstdint>

namespace ftlab {

class SegmentTable;

class SegmentWatcher {
 public:
  SegmentWatcher() = default;
  SegmentWatcher(const SegmentWatcher&) = delete;
  SegmentWatcher& operator=(const SegmentWatcher&) = delete;

  /// No segment holds a page.
  virtual void clear() {}
  /// The page in the slot counts: written by the host, copied, or there when the volume was mounted. The table has it
  /// already.
  virtual void on_write(const SegmentTable&, std::uint32_t /*segment*/, std::uint32_t /*slot*/) {}
  /// The page in the slot counts no more. The table has it already.
  virtual void on_invalidate(const SegmentTable&, std::uint32_t /*segment*/, std::uint32_t /*slot*/) {}
  /// The segment was erased, and that is counted.
  virtual void on_erase(const SegmentTable&, std::uint32_t /*segment*/) {}
  /// The segment's state, or whether its pages can be read, may have changed. The table has it already.
  virtual void on_state(const SegmentTable&, std::uint32_t /*segment*/) {}

 protected:
  ~SegmentWatcher() = default;
};

}  // namespace ftlab
