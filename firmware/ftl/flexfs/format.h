// Makes a medium FlexFS': a new volume, every data segment erased and free.
// Knows nothing of requests. A power loss leaves a medium that mount refuses as not formatted.
#pragma once

#include <cstdint>

#include "firmware/ftl/flexfs/segment_pool.h"
#include "firmware/ftl/flexfs/state.h"

namespace ftlab::flexfs {

class Format {
 public:
  Format(FlexFsState& state, SegmentPool& pool) : s_(state), pool_(pool) {}
  FtlStatus run();

 private:
  FtlStatus prepare(std::uint32_t segment);
  [[nodiscard]] bool is_blank(std::uint32_t segment);

  FlexFsState& s_;
  SegmentPool& pool_;
  bool new_part_ = false;  ///< no trace of a volume: what looks blank has never been programmed
};

/// Walks the segments in order and finds which carry data: not the part's SLC ones, not the checkpoint segments, not
/// beyond the partition. The others become `fixed`. Retired ones do not count towards the partition's size: as long as
/// the part has good segments left, a partition keeps its size.
void mark_fixed_segments(FlexFsState& state);

}  // namespace ftlab::flexfs
