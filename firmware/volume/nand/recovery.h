// Mount: the copies that a scan finds become tables, whatever the layer. Knows how copies of a page are weighed, how
// one is lost and how an interrupted cleaning is undone; what a segment is used for is the derived class's to know.
#pragma once

#include <cstdint>
#include <span>

#include "firmware/map/lost_pages.h"
#include "firmware/map/page_table.h"
#include "firmware/map/segment_table.h"
#include "firmware/port/host_port.h"
#include "firmware/volume/nand/scan.h"
#include "firmware/volume/nand/undo_copies.h"

namespace ftlab::nand {

struct RecoveredTables {
  SegmentTable& segments;
  PageTable& pages;
  LostPages& lost;
  std::span<std::uint64_t> sequences;  ///< of the copy that counts so far, per logical page
  std::uint32_t stamp_shift = 0;       ///< stamps of the page table are those of the records, shifted left
};

class Recovery : private ScanVisitor {
 public:
  Recovery(PageIo& store, Checkpoints& checkpoints, ProbePort& probe, const RecoveredTables& tables)
      : store_(store), checkpoints_(checkpoints), tables_(tables), scan_(store, checkpoints, probe) {}

  /// Reads the newest checkpoint: ok, or what the mount answers.
  [[nodiscard]] FtlStatus load();
  /// Fills the tables. Pages that the checkpoint has as mapped and that have no copy are lost.
  [[nodiscard]] FlashStatus scan();
  /// Where nothing is free, or as good as free: takes back the copies of the segment opened last. `undone`: whether any
  /// may have been, so that a checkpoint must come before the next erase. `freed`: the segment, or kNone.
  struct Undone {
    FlashStatus status = FlashStatus::ok;
    bool undone = false;
    std::uint32_t freed = kNone;
  };
  [[nodiscard]] Undone undo_copies();
  [[nodiscard]] Scan& scanner() { return scan_; }

 protected:
  ~Recovery() = default;

  /// Once for each segment, ascending, after its pages.
  virtual void found_segment(const ScannedSegment& found) = 0;
  /// The copy counts, unless a newer one follows.
  virtual void found_page(const PageMetadata& record) { static_cast<void>(record); }

 private:
  void page(std::uint32_t segment, std::uint32_t slot, const PageMetadata& record) override;
  void lost(std::uint32_t lpn, std::uint64_t after) override;
  void segment(const ScannedSegment& found) override {
    if (undo_ == nullptr) found_segment(found);
  }

  PageIo& store_;
  Checkpoints& checkpoints_;
  RecoveredTables tables_;
  Scan scan_;
  UndoCopies* undo_ = nullptr;  ///< during the second scan
};

}  // namespace ftlab::nand
