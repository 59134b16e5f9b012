// Rebuilds every table from the headers on flash, and repairs what a power loss left half done.
// Truth is in the segment headers; the log only helps (erase counts, streams, active segments).
// A segment is erased only when a power loss explains that its header cannot be read. Other damage is either put right
// (a header from its entries) or reported: the segment is put aside, and the pages that then have no copy are lost.
#pragma once

#include <cstdint>

#include "firmware/volume/nor/log.h"
#include "firmware/volume/nor/segment_entries.h"
#include "firmware/volume/segment_pool.h"
#include "firmware/volume/volume.h"

namespace ftlab::nor {

class Mount {
 public:
  Mount(Volume& volume, Log& log, SegmentPool& pool) : v_(volume), log_(log), pool_(pool), entries_(volume, pool) {}

  /// The volume must be cleared before. ok, not_formatted, bad_config (another layout) or read_failed.
  FtlStatus run();

 private:
  void find_volume();
  void take_newer_volume();
  FtlStatus read_headers();
  FtlStatus read_header(std::uint32_t segment);
  void look_twice(std::uint32_t segment, SegmentMarks& marks);
  void without_erase_header(std::uint32_t segment, RecordState header_state, SegmentHeader& header);
  void by_open_record(std::uint32_t segment, SegmentHeader& header);
  [[nodiscard]] EraseHeader expected_erase_header(std::uint32_t segment) const;
  [[nodiscard]] bool is_other_layout(const EraseHeader& header) const;
  void erase_again(std::uint32_t segment);
  void erase_later(std::uint32_t segment) { v_.order[to_erase_++] = segment; }
  void out_of_use(std::uint32_t segment);
  void fill_in_erase_counts();
  void erase_garbage();
  void build_free_list();
  [[nodiscard]] std::uint32_t mean_erase_count() const;

  Volume& v_;
  Log& log_;
  SegmentPool& pool_;
  SegmentEntries entries_;
  bool have_superblock_ = false;
  bool any_header_ = false;
  bool other_layout_ = false;
  std::uint32_t newest_volume_ = 0;  ///< of a header in use with this layout
  std::uint32_t to_erase_ = 0;       ///< segments that hold garbage: the first so many numbers of the volume's order
};

}  // namespace ftlab::nor
