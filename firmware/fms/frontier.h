// Where the next page goes: takes segments into use and appends pages.
// Knows no policy and no host request.
#pragma once

#include <cstdint>

#include "firmware/fms/medium.h"
#include "firmware/fms/segment_pool.h"
#include "firmware/fms/state.h"

namespace ftlab::fms {

class Frontier {
 public:
  Frontier(FmsState& state, SegmentPool& pool) : s_(state), pool_(pool) {}

  [[nodiscard]] bool has_room(StreamId stream) const { return s_.active[stream] != kNone; }
  /// Slots that copies can still go to, whatever the stream.
  [[nodiscard]] std::uint32_t room() const;

  /// Makes the oldest free segment the stream's active one. no_space: none is free.
  FtlStatus open_next(StreamId stream);
  /// Takes a segment from the pool into use, erasing it first when a mount found it free; `logged`: stream or
  /// kNoStream.
  FlashStatus open_segment(std::uint32_t segment, StreamId stream, std::uint16_t logged);

  /// Appends to the stream's active segment; a segment that fails is retired and the next free one is tried.
  /// On ok `ppn` holds the page's new place, marked valid. The page table is the caller's.
  FtlStatus append(StreamId stream, const PageRecord& page, const std::byte* data, std::uint32_t& ppn);
  /// The same, but any active segment will do when no segment is free: copies must not fail for want of a stream.
  FtlStatus append_anywhere(StreamId wish, const PageRecord& page, const std::byte* data, std::uint32_t& ppn);
  /// One attempt in the given segment; uses up the slot whatever happens.
  FlashStatus append_to(std::uint32_t segment, const PageRecord& page, const std::byte* data, std::uint32_t& ppn);

 private:
  FtlStatus rescue_pending(std::uint32_t segment);

  FmsState& s_;
  SegmentPool& pool_;
};

}  // namespace ftlab::fms
