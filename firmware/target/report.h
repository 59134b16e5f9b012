// What the firmware says of itself once it can serve, in RAM: kReport of the host queue has its address. Addresses in
// it stay valid, so that counters behind them can be read at any time, which disturbs nothing.
#pragma once

#include <cstddef>
#include <cstdint>

#include "firmware/base/ftl_stats.h"
#include "firmware/ftl/flexfs/flexfs_stats.h"
#include "firmware/map/segment_info.h"
#include "firmware/port/host_port.h"

namespace ftlab::target {

/// All that the board asks of any firmware, and all that one from outside the tree says (docs/cores.md).
struct ReportHead {
  static constexpr std::uint32_t kVersion = 1;

  std::uint32_t version = kVersion;
  std::uint32_t status = 0;
  std::uint32_t reason = 0;
  std::uint32_t page_bytes = 0;
  std::uint64_t capacity_bytes = 0;
};

/// It begins as the head does.
struct Report {
  static constexpr std::uint32_t kVersion = 4;

  std::uint32_t version = kVersion;
  std::uint32_t status = 0;  ///< FtlStatus; if not ok, only `reason` counts
  std::uint32_t reason = 0;  ///< address of a text that ends with a zero; 0: none
  std::uint32_t page_bytes = 0;
  std::uint64_t capacity_bytes = 0;
  // Of the part, as its driver has found it.
  std::uint32_t segments = 0;
  std::uint32_t segment_bytes = 0;
  std::uint32_t parallel_units = 0;
  std::uint32_t rated_erase_cycles = 0;
  // Of the volume.
  std::uint32_t volume_segments = 0;
  std::uint32_t pages_per_segment = 0;
  std::uint64_t usable_pages = 0;
  std::uint32_t bad_at_format = 0;
  std::uint32_t stats = 0;    ///< address of FtlStats; 0: ftlab_inspect_stats() has them
  std::uint32_t victims = 0;  ///< address of counters of 64 bits: segments cleaned, by their valid pages
  std::uint32_t victim_counters = 0;
  std::uint32_t classified = 0;  ///< address of volume::ClassifiedWrites; 0: nothing is separated
  std::uint32_t slc = 0;         ///< address of volume::SlcCounts; 0: no segments are filled as SLC
  std::uint32_t arena_used = 0;  ///< bytes
};

static_assert(offsetof(Report, page_bytes) == offsetof(ReportHead, page_bytes) &&
              offsetof(Report, capacity_bytes) == offsetof(ReportHead, capacity_bytes));
static_assert(sizeof(FtlStats) % sizeof(std::uint64_t) == 0 && alignof(FtlStats) <= sizeof(std::uint64_t));

/// Functions for whoever looks from outside, on a core of his own: they change nothing of the firmware.
extern "C" {
/// A row of the segment table, field by field: state, erase count, valid and used pages, stream.
void ftlab_inspect_segment(std::uint32_t segment, std::uint32_t fields[5]);
/// Ftl::self_check.
const char* ftlab_inspect_invariants();
/// Ftl::unanswered, and Ftl::stats.
void ftlab_inspect_unanswered(FtlStats* stats);
void ftlab_inspect_stats(FtlStats* stats);
/// Of FlexFS alone.
void ftlab_inspect_flexfs(flexfs::FlexFsStats* stats);
}

}  // namespace ftlab::target
