// Rebuilds every table from the medium.
// Knows nothing of requests. Steps: checkpoint, scan, choose the log segments, count what was used, free list.
#pragma once

#include <array>
#include <cstdint>

#include "firmware/ftl/flexfs/segment_pool.h"
#include "firmware/ftl/flexfs/state.h"
#include "firmware/volume/nand/scan.h"
#include "firmware/volume/nand/undo_copies.h"

namespace ftlab::flexfs {

class Mount final : public nand::ScanVisitor {
 public:
  Mount(FlexFsState& state, SegmentPool& pool) : s_(state), pool_(pool) {}
  FtlStatus run();
  /// Whether a log is gone on with, or copies are undone. A checkpoint must come before the first program into the log
  /// (see Scan::resume()), and before the erase of such copies: their originals were void as of the one before.
  [[nodiscard]] bool resumed() const { return resumed_; }
  /// Whether the log segment that the region goes on with holds pages that a cut program spoiled.
  [[nodiscard]] bool log_is_spoiled(Region region) const { return spoiled_[index_of(region)]; }

  void page(std::uint32_t segment, std::uint32_t slot, const nand::PageMetadata& record) override;
  void lost(std::uint32_t lpn, std::uint64_t after) override;
  void segment(const nand::ScannedSegment& found) override;

 private:
  [[nodiscard]] std::uint32_t log_of(Region region) const;
  FlashStatus undo_copies(nand::Scan& scan);
  void resume_logs(nand::Scan& scan);
  void count_used();

  FlexFsState& s_;
  SegmentPool& pool_;
  nand::UndoCopies* undo_ = nullptr;  ///< during the second scan
  std::array<bool, kRegions> spoiled_{};
  bool resumed_ = false;
};

}  // namespace ftlab::flexfs
