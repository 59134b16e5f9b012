// NAND: metadata in the spare bytes, a summary at the end of each segment, checkpoints. Nothing is cleared in place:
// what an old copy is worth follows from sequence numbers, what is trimmed from the checkpoint (docs/media-format.md).
#pragma once

#include "firmware/volume/nand/nand_volume.h"
#include "firmware/volume/page_store.h"
#include "firmware/volume/segment_pool.h"
#include "firmware/volume/volume.h"
#include "firmware/volume/write_frontier.h"

namespace ftlab {

class NandPageStore final : public PageStore {
 public:
  NandPageStore(Volume& volume, SegmentPool& pool, WriteFrontier& frontier)
      : v_(volume), pool_(pool), frontier_(frontier), nand_(volume, pool) {}

  /// Arena beside the tables of the volume.
  static void measure(Arena& arena, const FlashGeometry& geometry, const VolumeConfig& config) {
    nand::NandVolume::measure(arena, geometry, config);
  }
  void layout(Arena& arena) { nand_.layout(arena); }

  FtlStatus format() override;
  FtlStatus mount() override;
  FtlStatus flush() override;
  void record_reads() override;
  FlashStatus read(std::uint32_t segment, std::uint32_t slot, std::uint32_t offset, std::span<std::byte> into) override;
  FlashStatus append(std::uint32_t segment, std::uint32_t slot, const PageMetadata& page,
                     const std::byte* data) override;
  FlashStatus invalidate(std::uint32_t) override { return FlashStatus::ok; }  // the higher sequence decides
  FlashStatus trim(std::uint32_t ppn) override;
  FlashStatus trim_lost() override {
    nand_.checkpoints.note_change();
    return FlashStatus::ok;
  }
  /// As a trim: a checkpoint comes before the erase, and has the page as mapped without a copy.
  bool lose(std::uint32_t ppn) override { return trim(ppn) == FlashStatus::ok; }
  FlashStatus open(std::uint32_t segment, StreamId stream) override;
  void opened(std::uint32_t segment, bool active) override;
  void close(std::uint32_t segment) override;
  FlashStatus void_all(std::uint32_t) override { return FlashStatus::ok; }
  /// Writes a checkpoint first when the segment holds the newest copy of a page trimmed since the last one.
  /// erase_failed for one that a mount found without valid pages and with a bad-block marker.
  FlashStatus may_erase(std::uint32_t segment) override;
  FlashStatus erased(std::uint32_t segment) override;
  void retired(std::uint32_t segment) override;
  void marked_bad(std::uint32_t segment) override;

 private:
  /// With the next sequence number.
  [[nodiscard]] nand::PageMetadata next_metadata(std::uint32_t segment, const PageMetadata& page);

  Volume& v_;
  SegmentPool& pool_;
  WriteFrontier& frontier_;
  nand::NandVolume nand_;
};

}  // namespace ftlab
