// Mount on NAND, in named steps: checkpoint, scan, undoing, free list, open segments.
#pragma once

#include <array>
#include <cstdint>

#include "firmware/volume/nand/nand_volume.h"
#include "firmware/volume/nand/recovery.h"

namespace ftlab::nand {

class Mount final : private Recovery {
 public:
  explicit Mount(NandVolume& nand)
      : Recovery(nand.store, nand.checkpoints, nand.v.probe,
                 {nand.v.segments, nand.v.pages, nand.v.lost, nand.sequences, nand.v.config.stamp_shift}),
        n_(nand),
        v_(nand.v) {}

  /// The volume must be cleared before. ok, not_formatted, bad_config (another layout) or read_failed.
  FtlStatus run();

 private:
  void found_segment(const ScannedSegment& found) override;
  void forget_open(std::uint32_t segment);
  void take_back(std::uint32_t freed);
  void build_free_list();
  /// Whether a segment found open is resumed.
  bool resume_open();

  NandVolume& n_;
  Volume& v_;
  std::array<ScannedSegment, std::size_t{2} * (kMaxStreams + 1)> open_found_{};
  std::uint32_t open_count_ = 0;
};

}  // namespace ftlab::nand
