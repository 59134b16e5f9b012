// Reclaims segments: copies their valid pages elsewhere and releases them; gives a stream room; moves data that is
// about to be lost. Which segment and where its pages go is decided above; how pages are written is the frontier's.
#pragma once

#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/volume/cleaning_decisions.h"
#include "firmware/volume/segment_pool.h"
#include "firmware/volume/volume.h"
#include "firmware/volume/write_frontier.h"

namespace ftlab {

class Cleaner {
 public:
  Cleaner(Volume& volume, WriteFrontier& frontier, SegmentPool& pool, CleaningDecisions& decisions,
          const WaterMarks& marks)
      : v_(volume), frontier_(frontier), pool_(pool), decisions_(decisions), marks_(marks) {}

  /// The same code measures and lays out.
  static void measure(Arena& arena, std::uint32_t slots, std::uint32_t at_once) {
    (void)arena.take<PageMove>(std::size_t{slots} * at_once);
    (void)arena.take<std::uint32_t>(at_once);
  }
  void layout(Arena& arena) {
    moves_ = arena.take<PageMove>(std::size_t{v_.slots} * marks_.at_once);
    victims_ = arena.take<std::uint32_t>(marks_.at_once);
  }

  /// Gives the stream an active segment with room. When it has none: while it is still without and free <= low water,
  /// or has room again but free < high water (or as the layer decides), one segment is cleaned; then, if still without,
  /// the oldest free segment is taken; again when that one fails, or when the only free one had to be erased first.
  /// read_only: nothing is free, and nothing can be cleaned.
  FtlStatus make_room(StreamId stream);

  /// Appends a page to the stream, making room first; while segments fail the next one takes it.
  /// The page table is the caller's. read_only instead of no_space where failed segments are what lacks.
  Appended<FtlStatus> append(StreamId stream, const PageMetadata& page, const std::byte* data);

  /// After a power loss in the middle of a cleaning: cleans until as many segments are free as make_room() leaves,
  /// so that host writes do not use up the room that the interrupted cleaning still needs.
  void restore_reserve();

  /// Reclaims a victim, or several together. no_space: nothing to gain anywhere, or no room for what must move.
  FtlStatus clean_some();

  /// Moves the data of one segment that is about to lose it (bit errors, too many reads, a spoiled page, a failed
  /// program). False: nothing to do, or no room.
  bool refresh_one();

  /// Moves all data of a sealed segment to a segment taken off the free list, which then is sealed, and releases the
  /// first one. False: something could not be moved, and stays where it is.
  bool swap(std::uint32_t from, std::uint32_t to);

 private:
  FtlStatus clean_to_reserve(StreamId stream);
  FtlStatus clean_to_marks(StreamId stream);
  FtlStatus clean_while_wanted(StreamId stream);
  FtlStatus clean(std::span<const std::uint32_t> victims);
  FtlStatus move_all(std::span<const std::uint32_t> victims);
  FtlStatus release_all(std::span<const std::uint32_t> victims);
  FlashStatus read_for_copy(std::uint32_t segment, std::uint32_t slot, PageMetadata& page, std::span<std::byte> into);
  FtlStatus move_page(const PageMove& move);
  /// Its entry counts until the segment is void as a whole.
  void drop_moved(std::uint32_t segment, std::uint32_t slot);
  FtlStatus copy_to(std::uint32_t from_segment, std::uint32_t slot, std::uint32_t to_segment);
  [[nodiscard]] WaterMarks marks_now() const {
    return {marks_.low + v_.more_reserve, marks_.high + v_.more_reserve, marks_.at_once};
  }
  std::uint32_t choose_victim();
  std::span<const std::uint32_t> choose_victims();
  std::span<PageMove> collect_moves(std::span<const std::uint32_t> victims);

  Volume& v_;
  WriteFrontier& frontier_;
  SegmentPool& pool_;
  CleaningDecisions& decisions_;
  WaterMarks marks_;
  std::span<PageMove> moves_;
  std::span<std::uint32_t> victims_;
};

}  // namespace ftlab
