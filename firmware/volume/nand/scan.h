// Mount: finds every live page. The newest checkpoint reports where to look; one summary page of each sealed segment,
// the spare bytes of the first page of each free one, and page by page only those without a readable summary. Knows
// PageIo and Checkpoints; the visitor knows what pages mean. Writes nothing.
//
// What a torn erase leaves looks blank or torn in any page: whatever holds no live page is handed out as free,
// to be erased before it is used. Pages it still shows are old copies: an FTL erases a segment only when newer copies
// are durable, or a checkpoint reports that the pages are trimmed. So a segment found open may be programmed further
// only when at least one page in it turned out to be the newest copy.
#pragma once

#include <cstdint>

#include "firmware/port/probe_port.h"
#include "firmware/volume/nand/checkpoint.h"
#include "firmware/volume/nand/page_io.h"

namespace ftlab::nand {

struct ScannedSegment {
  std::uint32_t segment = 0;
  /// free: nothing in it counts, erase before use; open: no summary yet, pages could follow; sealed; bad; fixed.
  SegmentState state = SegmentState::free;
  PageMode mode = PageMode::full;
  std::uint8_t region = 0;  ///< of its pages' metadata
  std::uint32_t erase_count =
      0;  ///< of its pages' metadata; of a free one what the checkpoint knows, plus one if erased since
  std::uint32_t used = 0;       ///< slots up to the last one that is not blank
  std::uint32_t attempted = 0;  ///< slots that may have been programmed before the last one, blank or not
  std::uint64_t opened_sequence = 0;
  std::uint64_t opened_stamp = 0;  ///< without a summary: the newest stamp found
  bool retired = false;            ///< failed before the checkpoint; its data is still to be moved
  bool refresh = false;            ///< data should move: a page was recovered or nearly lost
  bool summary = false;  ///< its summary was read: opened_sequence and opened_stamp are as given when it was opened
  bool torn = false;     ///< a page holds something that is not metadata
};

class ScanVisitor {
 public:
  ScanVisitor() = default;
  ScanVisitor(const ScanVisitor&) = delete;
  ScanVisitor& operator=(const ScanVisitor&) = delete;

  /// A copy that may count: of several of one logical page that with the highest sequence. Pages of a segment come
  /// ascending, before its segment().
  virtual void page(std::uint32_t segment, std::uint32_t slot, const PageMetadata& metadata) = 0;
  /// There was a copy of the page, newer than `after`, that cannot be read: one that counts is newer.
  virtual void lost(std::uint32_t lpn, std::uint64_t after) = 0;
  /// Once for each segment of the medium, ascending.
  virtual void segment(const ScannedSegment& found) = 0;

 protected:
  ~ScanVisitor() = default;
};

class Scan {
 public:
  Scan(PageIo& store, const Checkpoints& checkpoints, ProbePort& probe)
      : store_(store), checkpoints_(checkpoints), probe_(probe) {}

  /// After Checkpoints::load() found a complete one. ok, or timeout when the device is gone. `void_too`: copies that
  /// the checkpoint knows as void are recorded, too.
  FlashStatus run(ScanVisitor& visitor, bool void_too = false);
  /// Highest sequence and stamp seen, the checkpoint's included.
  [[nodiscard]] std::uint64_t sequence() const { return sequence_; }
  [[nodiscard]] std::uint64_t stamp() const { return stamp_; }

  /// Prepares a segment found open, with at least one newest copy in it, for going on. The slot after all that may have
  /// been programmed is left out: a program that was interrupted at its very start leaves its page looking blank.
  /// Before the first program a checkpoint must say where it goes, or the next mount leaves out too few. False: no slot
  /// is left, or no buffer; nothing is done.
  bool resume(const ScannedSegment& found);
  /// Slots of a written segment that may have been programmed: those its pages show (`used`), and those that a
  /// checkpoint knows of since the same erase of the segment, all where the segment was given up.
  [[nodiscard]] std::uint32_t attempted(std::uint32_t segment, PageMode mode, std::uint32_t used,
                                        std::uint32_t erase_count) const;

 private:
  enum class Looked : std::uint8_t { found, not_found, gone };

  FlashStatus look_at(std::uint32_t segment, ScanVisitor& visitor);
  Looked by_summary(std::uint32_t segment, PageMode mode, ScannedSegment& found, ScanVisitor& visitor);
  /// `tried`: slots that a checkpoint knows as programmed or left out; there may be gaps between them.
  FlashStatus by_pages(std::uint32_t segment, PageMode mode, std::uint32_t tried, ScannedSegment& found,
                       ScanVisitor& visitor);
  /// The metadata is that of `slot`, and names the page before it, which cannot be read.
  void name_lost(std::uint32_t segment, std::uint32_t slot, const PageMetadata& metadata, std::uint64_t after,
                 ScanVisitor& visitor) const;
  bool find_mode(std::uint32_t segment, PageMode& mode);
  void offer(std::uint32_t segment, std::uint32_t slot, const PageMetadata& metadata, ScannedSegment& found,
             ScanVisitor& visitor);
  bool reopen(const ScannedSegment& found, std::uint32_t next_slot);

  PageIo& store_;
  const Checkpoints& checkpoints_;
  ProbePort& probe_;
  std::uint64_t sequence_ = 0;
  std::uint64_t stamp_ = 0;
  bool void_too_ = false;
};

}  // namespace ftlab::nand
