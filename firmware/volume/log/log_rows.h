// What the log keeps of segments and dies beside the segment table.
#pragma once

#include <cstdint>

#include "firmware/map/listed_segments.h"

namespace ftlab::volume {

/// Places that pages of one segment are copied to, which only those take: in one segment, and on in another one.
class CopyPlaces {
 public:
  void add(std::uint32_t first, std::uint32_t count) {
    if (runs_ > 0 && ends_[runs_ - 1] == first) {
      ends_[runs_ - 1] += count;
    } else if (runs_ < kRuns) {
      firsts_[runs_] = first;
      ends_[runs_++] = first + count;
    }
  }
  [[nodiscard]] bool have(std::uint32_t place) const {
    for (std::uint32_t run = 0; run < runs_; ++run)
      if (place >= firsts_[run] && place < ends_[run]) return true;
    return false;
  }

 private:
  static constexpr std::uint32_t kRuns = 2;
  std::uint32_t runs_ = 0;
  std::uint32_t firsts_[kRuns] = {};
  std::uint32_t ends_[kRuns] = {};
};

/// Of a die, beside its lists and what is on its way to them.
struct DieSegments {
  std::uint32_t in_use = 0;    ///< segments that are not bad, nor left out because the volume uses fewer
  std::uint32_t settling = 0;  ///< segments that take no more pages and may not be cleaned yet
  bool erases = false;         ///< a segment ahead of its use: one at a time, so that little waits behind it
  /// A power loss has left it short of free segments, maybe inside a cleaning.
  bool recovers = false;
  /// Segments whose pages are queued to be copied, until all those have been, as many as there is room for.
  struct Copied {
    std::uint32_t segment = kNoSegment;
    CopyPlaces to;
  };
  static constexpr std::uint32_t kMaxCopied = 4;
  Copied copied[kMaxCopied] = {};
};

/// What is to be known of a segment beside its record: what is on its way to it or out of it.
struct SegmentFlags {
  std::uint32_t released = 0;  ///< of one that is free: the epoch of that
  std::uint32_t copies = 0;    ///< out of it: queued, until all have ended
  /// Cleanings of it whose copies have not all ended: an erase could lose a page whose copy fails.
  std::uint16_t copying = 0;
  bool erased = false;   ///< nothing was programmed since its erase
  bool leaving = false;  ///< failed and being emptied
  /// What failed there may be whole, and newer than what counts: marking could erase half of it.
  bool newest = false;
  bool empty = false;     ///< failed and left: marked bad when it might be erased
  bool regained = false;  ///< free, and holds pages again whose copies failed
  bool due = false;       ///< free, and to be erased by an erase_ahead() that may
};

/// Out of one segment.
struct MovedPages {
  std::uint32_t pages = 0;
  CopyPlaces places;
  bool reported = false;  ///< the copy queued last says when all out of the segment have ended
};

}  // namespace ftlab::volume
