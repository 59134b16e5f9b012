// Rebuilds every table from the headers on flash, and repairs what a power cut left half done.
// Truth is in the segment headers; the journal only helps (erase counts, streams, active segments).
// A segment is erased only when a power cut explains that its header cannot be read. Other damage is either put right
// (a header from its entries) or told: the segment is put aside, and the pages that then have no copy are lost.
#pragma once

#include <cstdint>

#include "firmware/ftl/fms/segment_pool.h"
#include "firmware/ftl/fms/state.h"
#include "firmware/volume/nor/journal.h"
#include "firmware/volume/nor/record_check.h"

namespace ftlab::fms {

class Mount {
 public:
  Mount(FmsState& state, Journal& journal, SegmentPool& pool) : s_(state), journal_(journal), pool_(pool) {}

  /// The state must be cleared before. ok, not_formatted, bad_config (another layout) or read_failed.
  FtlStatus run();

 private:
  // mount.cpp: the steps, and which segment is what
  void find_volume();
  void take_newer_volume();
  FtlStatus read_headers();
  FtlStatus read_header(std::uint32_t segment);
  void without_birth(std::uint32_t segment, RecordState birth_state, SegmentHeader& header);
  void by_open_record(std::uint32_t segment, SegmentHeader& header);
  [[nodiscard]] BirthRecord expected_birth(std::uint32_t segment) const;
  [[nodiscard]] bool is_other_layout(const BirthRecord& birth) const;
  void renew_later(std::uint32_t segment) { s_.order[lost_++] = segment; }
  void put_aside(std::uint32_t segment);
  void out_of_use(std::uint32_t segment);
  void renew_lost();
  void build_free_list();
  [[nodiscard]] std::uint32_t mean_erase_count() const;

  // mount_entries.cpp: the pages of a segment
  [[nodiscard]] CheckedEntry entry(std::uint32_t slot, RecordState& state) const;
  [[nodiscard]] std::uint32_t used_slots() const;
  [[nodiscard]] bool any_page() const;
  [[nodiscard]] bool holds_data(std::uint32_t segment, std::uint32_t first_slot);
  void open_from_entries(std::uint32_t segment);
  void read_entries(std::uint32_t segment);
  void void_slot(std::uint32_t segment, std::uint32_t slot);
  void claim(std::uint32_t segment, std::uint32_t slot, const CheckedEntry& entry);
  [[nodiscard]] std::uint64_t sequence_of(std::uint32_t ppn);

  // mount_undo.cpp: copies of which two look valid
  [[nodiscard]] std::uint32_t last_opened_when_none_is_free() const;
  void undo_copies();
  bool take_original(std::uint32_t undone, std::uint32_t ppn, const CheckedEntry& entry);
  void void_superseded();

  // mount_active.cpp: which segments are filled further
  void choose_active();
  void make_appendable(std::uint32_t segment);
  [[nodiscard]] bool slot_is_blank(std::uint32_t segment, std::uint32_t slot);

  FmsState& s_;
  Journal& journal_;
  SegmentPool& pool_;
  bool have_summary_ = false;
  bool any_header_ = false;
  bool other_layout_ = false;
  bool pages_lost_ = false;
  std::uint32_t newest_volume_ = 0;  ///< of a header in use with this layout
  std::uint32_t lost_ = 0;           ///< segments to erase again: the first `lost_` numbers of state.order
};

}  // namespace ftlab::fms
