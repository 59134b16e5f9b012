// Rebuilds every table from the headers on flash, and repairs what a power cut left half done.
// Truth is in the segment headers; the journal only helps (erase counts, active segments).
#pragma once

#include <cstdint>

#include "firmware/fms/nor/journal.h"
#include "firmware/fms/segment_pool.h"
#include "firmware/fms/state.h"

namespace ftlab::fms {

class Mount {
 public:
  Mount(FmsState& state, Journal& journal, SegmentPool& pool) : s_(state), journal_(journal), pool_(pool) {}

  /// The state must be cleared before. ok, not_formatted, bad_config (another layout) or read_failed.
  FtlStatus run();

 private:
  FtlStatus read_headers();
  FtlStatus read_header(std::uint32_t segment);
  bool belongs(const SegmentHeader& header, std::uint32_t segment);
  void read_entries(std::uint32_t segment);
  void claim(std::uint32_t segment, std::uint32_t slot, const PageEntry& entry);
  [[nodiscard]] std::uint64_t sequence_of(std::uint32_t ppn);
  void choose_active();
  void make_appendable(std::uint32_t segment);
  [[nodiscard]] bool slot_is_blank(std::uint32_t segment, std::uint32_t slot);
  void renew_lost();
  void build_free_list();
  [[nodiscard]] std::uint32_t mean_erase_count() const;

  FmsState& s_;
  Journal& journal_;
  SegmentPool& pool_;
  bool have_summary_ = false;
  bool any_header_ = false;
  bool other_layout_ = false;
  std::uint32_t lost_ = 0;  ///< segments to erase again: the first `lost_` numbers of state.order
};

}  // namespace ftlab::fms
