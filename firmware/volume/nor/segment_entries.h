// Mount: what the entries of one segment say. Its header with all entries is in the header buffer.
// Knows no other segment but by the tables, in which it enters the pages that it finds.
#pragma once

#include <cstdint>

#include "firmware/volume/nor/record_check.h"
#include "firmware/volume/segment_pool.h"
#include "firmware/volume/volume.h"

namespace ftlab::nor {

class SegmentEntries {
 public:
  SegmentEntries(Volume& volume, SegmentPool& pool) : v_(volume), pool_(pool) {}

  [[nodiscard]] CheckedEntry entry(std::uint32_t slot, RecordState& state) const;
  [[nodiscard]] std::uint32_t used_slots() const;
  /// Whether the entries show a page, void or not.
  [[nodiscard]] bool any_page() const;
  /// Whether a slot from `first_slot` on holds more than a few flipped bits.
  [[nodiscard]] bool holds_data(std::uint32_t segment, std::uint32_t first_slot);
  /// Makes up for an open record that is gone.
  void open_from_entries(std::uint32_t segment);
  /// Enters the pages of a segment in use, and finishes what power loss interrupted.
  void read(std::uint32_t segment);
  /// Of the entry on flash, intact or not.
  [[nodiscard]] std::uint64_t sequence_of(std::uint32_t ppn);
  /// The segment is damaged: it stays as it is, and pages without a copy are lost.
  void put_aside(std::uint32_t segment);
  [[nodiscard]] bool pages_lost() const { return pages_lost_; }
  void forget_lost() { pages_lost_ = false; }

 private:
  void void_slot(std::uint32_t segment, std::uint32_t slot);
  void claim(std::uint32_t segment, std::uint32_t slot, const CheckedEntry& entry);

  Volume& v_;
  SegmentPool& pool_;
  bool pages_lost_ = false;
};

}  // namespace ftlab::nor
