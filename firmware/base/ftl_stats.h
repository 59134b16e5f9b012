// What every translation layer counts. Knows no layer.
#pragma once

#include <cstdint>

#include "common/counters.h"

namespace ftlab {

/// Counters since mount. Plain sums; derived figures are the reader's business.
struct FtlStats {
  std::uint64_t requests = 0;
  std::uint64_t pages_written = 0;  ///< logical pages written by the host; parts that share a program count once
  std::uint64_t pages_read = 0;
  std::uint64_t pages_read_buffered = 0;  ///< of these: from data RAM, before they were programmed
  std::uint64_t pages_trimmed = 0;
  std::uint64_t bytes_written = 0;
  std::uint64_t bytes_read = 0;
  std::uint64_t erases = 0;         ///< data segments erased
  std::uint64_t pages_copied = 0;   ///< valid pages moved by cleaning
  std::uint64_t pages_swapped = 0;  ///< pages moved by wear leveling
  std::uint64_t pages_padded = 0;   ///< programmed without data, so that others of their program unit need not wait
  std::uint64_t cleanings = 0;
  std::uint64_t refreshes = 0;         ///< cleanings of segments whose data should move, counted there, too
  std::uint64_t victim_fallbacks = 0;  ///< cleanings of the emptiest segment, because few were free
  std::uint64_t log_erases = 0;        ///< erasures of segments that hold no pages: those of checkpoints
  std::uint64_t bad_segments = 0;
};

/// Pages of the host that were counted in between, and nothing else.
[[nodiscard]] inline FtlStats host_pages_between(const FtlStats& before, const FtlStats& after) {
  FtlStats pages;
  pages.pages_written = after.pages_written - before.pages_written;
  pages.pages_read = after.pages_read - before.pages_read;
  pages.pages_trimmed = after.pages_trimmed - before.pages_trimmed;
  return pages;
}

/// Where they stand in result.json. Requests and their bytes are counted by the host, too, which shows its own.
inline constexpr Counter<FtlStats> kFtlCounters[] = {
    flow<&FtlStats::requests>("", "", "requests served"),
    flow<&FtlStats::bytes_written>("", "B", "bytes of write requests"),
    flow<&FtlStats::bytes_read>("", "B", "bytes of read requests"),
    flow<&FtlStats::pages_written>(
        "host.pages_written", "pages",
        "logical pages written; a page partly written counts once, parts that share a program "
        "count together"),
    flow<&FtlStats::pages_read>("host.pages_read", "pages", "logical pages read"),
    flow<&FtlStats::pages_read_buffered>("host.pages_read_buffered", "pages",
                                         "of these, pages that were written, answered and not programmed yet"),
    flow<&FtlStats::pages_trimmed>("host.pages_trimmed", "pages", "logical pages trimmed"),
    flow<&FtlStats::erases>("flash.erases", "segments", "data segments erased"),
    flow<&FtlStats::pages_copied>("flash.pages_copied", "pages", "valid pages moved by cleaning"),
    flow<&FtlStats::pages_padded>("flash.pages_padded", "pages",
                                  "pages programmed without data: the rest of a program unit that holds several pages "
                                  "and that nothing else would have filled in time"),
    flow<&FtlStats::cleanings>("firmware.cleanings", "segments", "victims reclaimed"),
    flow<&FtlStats::refreshes>("firmware.refreshes", "segments",
                               "of these, segments whose data moved because reading it became unsafe"),
    flow<&FtlStats::victim_fallbacks>(
        "firmware.victim_fallbacks", "segments",
        "cleanings in which copies of whatever victim policies had chosen might not have "
        "found room, so that the segment with the fewest valid pages was cleaned instead"),
    flow<&FtlStats::pages_swapped>("firmware.pages_swapped", "pages", "pages moved by wear leveling"),
    flow<&FtlStats::log_erases>("firmware.log_erases", "segments",
                                "erasures of segments that hold no pages: those of checkpoints"),
    state<&FtlStats::bad_segments>("firmware.bad_segments", "segments", "segments taken out of use"),
};

}  // namespace ftlab
