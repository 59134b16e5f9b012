// Mount: copies that a newer one outranks, but whose marks are not cleared. Power was lost between a copy and what
// voids the original: the mark, or the erase of the victim. Knows the tables that reading the entries has filled.
#pragma once

#include <cstdint>

#include "firmware/volume/nor/segment_entries.h"
#include "firmware/volume/volume.h"

namespace ftlab::nor {

class UndoCopies {
 public:
  UndoCopies(Volume& volume, SegmentEntries& entries) : v_(volume), entries_(entries) {}

  /// An interrupted cleaning may have left nothing free, and each power loss since has used up a slot, so that its
  /// copies may no longer fit. Their originals are whole until the victim is erased: those of pages in the segment
  /// opened last count again, and it is to be erased if nothing else is in it. Until something is free originals are
  /// not voided; else all superseded copies are. `any_to_erase`: a segment will be free anyway. Answers the segment to
  /// be erased, or kNone.
  std::uint32_t run(bool any_to_erase);

 private:
  [[nodiscard]] std::uint32_t last_opened_when_none_is_free() const;
  bool take_original(std::uint32_t undone, std::uint32_t ppn, const CheckedEntry& entry);
  void void_superseded();

  Volume& v_;
  SegmentEntries& entries_;
};

}  // namespace ftlab::nor
