// Mount: undoes the copies of an interrupted cleaning. A cleaning may take the last free segment for its copies,
// and each mount leaves a slot of it out, so that after some power losses the rest of the copies no longer fits. Their
// originals are whole until the victim is erased: where each live page of the segment opened last has one, those count
// again, and that segment is free. Knows the tables that a first scan has filled, and the pages that a second one
// finds; erases nothing.
#pragma once

#include <cstdint>
#include <span>

#include "firmware/map/page_table.h"
#include "firmware/map/segment_table.h"
#include "firmware/volume/nand/page_io.h"
#include "firmware/volume/nand/page_metadata.h"

namespace ftlab::nand {

class UndoCopies {
 public:
  /// `sequences`: of the copy that counts, per logical page. Stamps of the page table are those of page metadata,
  /// shifted left.
  UndoCopies(PageIo& store, SegmentTable& segments, PageTable& pages, std::span<std::uint64_t> sequences,
             unsigned stamp_shift)
      : store_(store), segments_(segments), pages_(pages), sequences_(sequences), stamp_shift_(stamp_shift) {}

  /// Chooses the segment; false when one is free, or as good as free. Then a second scan gives its pages to page().
  bool begin();
  void page(std::uint32_t segment, std::uint32_t slot, const PageMetadata& metadata);
  /// The segment, when nothing in it counts any more, else kNone: pages without original stay where they are.
  std::uint32_t end();

 private:
  [[nodiscard]] bool held(std::uint32_t lpn) const;
  [[nodiscard]] bool is_copy(std::uint32_t ppn);

  PageIo& store_;
  SegmentTable& segments_;
  PageTable& pages_;
  std::span<std::uint64_t> sequences_;
  unsigned stamp_shift_;
  std::uint32_t undone_ = kNone;
};

}  // namespace ftlab::nand
