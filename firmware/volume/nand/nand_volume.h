// What NAND adds to a volume: the pages' spare bytes and the checkpoints, and what a checkpoint keeps of the tables.
// Shared by page store, mount and format. Knows no layer; all pages of a segment are used (PageMode::full).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "firmware/volume/nand/checkpoint.h"
#include "firmware/volume/nand/page_io.h"
#include "firmware/volume/segment_pool.h"
#include "firmware/volume/volume.h"

namespace ftlab::nand {

class NandVolume final : private CheckpointSource {
 public:
  /// One active segment of each stream, and the one that a swap fills.
  [[nodiscard]] static std::uint32_t open_segments(const VolumeConfig& config) {
    return static_cast<std::uint32_t>(std::ranges::count(config.writes_to, true)) + 1;
  }

  NandVolume(Volume& volume_below, SegmentPool& segment_pool)
      : v(volume_below),
        pool(segment_pool),
        store(volume_below.io, volume_below.geometry),
        checkpoints(store,
                    {volume_below.config.owner, volume_below.config.layout, volume_below.config.logical_pages, 0}) {}

  /// Arena beside the tables of the volume; the same code measures and lays out.
  static void measure(Arena& arena, const FlashGeometry& geometry, const VolumeConfig& config);
  void layout(Arena& arena);
  void clear();

  /// Stamps as the layer counts them, and on flash, where they are coarser (VolumeConfig::stamp_shift).
  [[nodiscard]] std::uint64_t to_stamp(std::uint64_t clock) const {
    return std::min(clock >> v.config.stamp_shift, kMax40);
  }
  [[nodiscard]] std::uint64_t from_stamp(std::uint64_t stamp) const {
    return std::min(stamp, UINT64_MAX >> v.config.stamp_shift) << v.config.stamp_shift;
  }

  /// False: what it should have kept is not durable. Where no segment takes checkpoints any more the volume is
  /// read-only from now on.
  bool write_checkpoint(CheckpointKind kind = CheckpointKind::complete);
  /// Checkpoint segments, and those that hold LSB pages only, are not for data.
  void mark_fixed();
  void want_refresh(std::uint32_t segment);

  Volume& v;
  SegmentPool& pool;
  PageIo store;
  Checkpoints checkpoints;
  std::span<std::uint64_t> sequences;  ///< mount: of the copy that counts so far, per logical page
  bool checkpoints_lost = false;       ///< no segment takes checkpoints any more: trims cannot be kept

 private:
  [[nodiscard]] CheckpointRow checkpoint_row(std::uint32_t segment) const override;
  [[nodiscard]] std::uint32_t checkpoint_mapped(std::uint32_t first, std::uint32_t count) const override;
  [[nodiscard]] std::uint32_t checkpoint_valid(std::uint32_t segment, std::uint32_t first,
                                               std::uint32_t count) const override;
  std::uint32_t replace_checkpoint_segment(std::uint32_t failed) override;
};

}  // namespace ftlab::nand
