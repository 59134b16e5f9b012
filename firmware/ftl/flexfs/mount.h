// Rebuilds every table from the medium.
// Knows nothing of requests. Steps: checkpoint, scan, undoing, choose the log segments, count what was used, free list.
#pragma once

#include <array>
#include <cstdint>

#include "firmware/ftl/flexfs/segment_pool.h"
#include "firmware/ftl/flexfs/state.h"
#include "firmware/volume/nand/recovery.h"

namespace ftlab::flexfs {

class Mount final : private nand::Recovery {
 public:
  Mount(FlexFsState& state, SegmentPool& pool)
      : Recovery(state.store, state.checkpoints, state.probe,
                 {state.segments, state.pages, state.lost, state.sequences}),
        s_(state),
        pool_(pool) {}
  FtlStatus run();
  /// Whether a log is resumed, or copies are undone. A checkpoint must come before the first program into the log
  /// (see Scan::resume()), and before the erase of such copies: their originals were void as of the one before.
  [[nodiscard]] bool resumed() const { return resumed_; }
  /// Whether the log segment that the region resumes holds pages that an interrupted program spoiled.
  [[nodiscard]] bool log_is_spoiled(Region region) const { return spoiled_[index_of(region)]; }

 private:
  [[nodiscard]] std::uint32_t log_of(Region region) const;
  void found_segment(const nand::ScannedSegment& found) override;
  void found_page(const nand::PageMetadata& record) override { s_.files[record.lpn] = record.file; }
  void resume_logs();
  void count_used();

  FlexFsState& s_;
  SegmentPool& pool_;
  std::array<bool, kRegions> spoiled_{};
  bool resumed_ = false;
};

}  // namespace ftlab::flexfs
