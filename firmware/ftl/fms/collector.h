// Cleaning: when it starts and stops, reclaiming one victim, and the swap near end of life.
// Which segment and where its pages go is the policy's; how pages are written is the frontier's.
#pragma once

#include <cstdint>

#include "firmware/ftl/fms/state.h"
#include "firmware/volume/segment_pool.h"
#include "firmware/volume/write_frontier.h"

namespace ftlab::fms {

class Collector {
 public:
  Collector(FmsState& state, WriteFrontier& frontier, SegmentPool& pool)
      : s_(state), v_(state.volume), frontier_(frontier), pool_(pool) {}

  /// Gives the stream an active segment with room. When it has none: while it is still without and
  /// free <= low water, or has room again but free < high water, one segment is cleaned; then, if still without,
  /// the oldest free segment is taken; again when that one fails, or when the only free one had to be erased first.
  /// read_only: nothing is free, and nothing can be cleaned.
  FtlStatus make_room(StreamId stream);

  /// After a power loss in the middle of a cleaning: cleans until as many segments are free as make_room() leaves,
  /// so that host writes do not use up the room that the interrupted cleaning still needs.
  void restore_reserve();

  /// Reclaims one victim. no_space: nothing to gain anywhere, or no room for what must move.
  FtlStatus clean_one();

  /// Moves the data of one segment that is about to lose it (bit errors, too many reads, a spoiled page, a failed
  /// program). False: nothing to do, or no room.
  bool refresh_one();

 private:
  FtlStatus clean_to_reserve(StreamId stream);
  FtlStatus clean_to_marks(StreamId stream);
  FtlStatus clean(std::uint32_t victim);
  /// Into the copy buffer.
  FlashStatus read_for_copy(std::uint32_t segment, std::uint32_t slot, PageMetadata& page);
  FtlStatus move_page(std::uint32_t victim, const PageMove& move);
  FtlStatus copy_to(std::uint32_t from_segment, std::uint32_t slot, std::uint32_t to_segment);
  std::uint32_t choose_victim();
  void collect_moves(std::uint32_t victim);
  void level_wear();

  FmsState& s_;
  Volume& v_;
  WriteFrontier& frontier_;
  SegmentPool& pool_;
  std::uint32_t move_count_ = 0;
};

}  // namespace ftlab::fms
