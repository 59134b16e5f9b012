// What a volume keeps of a segment (erase block), and what policies see of it. Knows no table.
#pragma once

#include <cstdint>

#include "firmware/map/segment_info.h"
#include "firmware/map/segment_lists.h"
#include "firmware/map/streams.h"

namespace ftlab {

/// Kept once, beside valid pages and lists.
struct SegmentRecord {
  std::uint64_t opened_stamp = 0;     ///< policy clock when taken into use; kept for policies alone
  std::uint64_t opened_sequence = 0;  ///< medium-wide order of that; the same
  std::uint32_t erase_count = 0;      ///< the next erase among them, where that is counted already
  SegmentState state = SegmentState::free;
  std::uint8_t stream = 0;    ///< since it was opened, as its log counts streams
  bool retired = false;       ///< failed once: never program or erase again; reads still work
  bool cleaning = false;      ///< chosen as a victim, while others are that are cleaned together with it
  bool counts_ahead = false;  ///< it was released, and the erase before its next use is counted
};

/// The same and its valid pages, put together for whoever looks at the segment.
struct SegmentRow {
  std::uint64_t opened_stamp = 0;
  std::uint64_t opened_sequence = 0;
  std::uint32_t erase_count = 0;
  std::uint32_t id = 0;  ///< the segment
  std::uint32_t valid = 0;
  SegmentState state = SegmentState::free;
  StreamId stream = 0;
  bool retired = false;
  bool cleaning = false;
};

/// A segment that takes pages of a stream, and how many it has.
struct OpenSegment {
  std::uint32_t segment = kNone;
  std::uint32_t used = 0;
  // Of the program unit begun, which has pages that wait for the rest of it:
  std::uint16_t host_pages = 0;
  bool has_copies = false;
};

}  // namespace ftlab
