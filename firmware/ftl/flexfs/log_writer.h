// Appends pages to the log segment of a region: takes segments into use, seals full ones. Knows no policy and no host
// request.
// Invariants: at most one open segment per region; a region's log has room whenever it has one.
#pragma once

#include <cstdint>
#include <optional>

#include "firmware/ftl/flexfs/segment_pool.h"
#include "firmware/ftl/flexfs/state.h"

namespace ftlab::flexfs {

/// A logical page with what is kept beside its data.
struct LogPage {
  std::uint32_t lpn = 0;
  std::uint32_t updates = 0;
  std::uint64_t stamp = 0;
  std::uint32_t file = 0;
  bool copied = false;  ///< not from the host
};

class LogWriter {
 public:
  LogWriter(FlexFsState& state, SegmentPool& pool) : s_(state), pool_(pool) {}

  /// Gives the region a new log segment. no_space: no more than `keep` are free.
  FtlStatus open(Region region, std::uint32_t keep);
  /// Appends to a log with room and marks the page valid. nullopt: its segment failed and is retired; whether the next
  /// one may be taken is the caller's to know. The page table is the caller's.
  std::optional<Appended<FtlStatus>> try_append(Region region, const LogPage& page, const std::byte* data);
  /// For copies, which the reserve is for: takes the next free segment as long as segments fail, and the other region's
  /// log when none is free.
  Appended<FtlStatus> append_copy(Region region, const LogPage& page, const std::byte* data);
  /// Writes the summary and ends the segment.
  void seal(std::uint32_t segment);

 private:
  FlexFsState& s_;
  SegmentPool& pool_;
};

}  // namespace ftlab::flexfs
