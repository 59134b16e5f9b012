// Copies of pages inside their dies, and segments opened for what is written. Waits for what is under way where a free
// segment may not be erased yet. Knows no victim's reason and no request: which pages move others decide.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "firmware/volume/in_flight/pages_in_flight.h"
#include "firmware/volume/log/log.h"

namespace ftlab::volume {

class Moves {
 public:
  Moves(Log& log, PagesInFlight& in_flight) : log_(log), in_flight_(in_flight) {}

  /// What `copy` gives; segments that are opened meanwhile are for its copies.
  template <class Copy>
  auto copying(Copy&& copy) {
    const bool before = std::exchange(copying_, true);
    const auto result = copy();
    copying_ = before;
    return result;
  }

  // --- segments ---
  /// One of the die that is free and may be erased, off the list; kNoSegment: there is none.
  std::uint32_t take_free(std::uint32_t die);
  /// The stream's next one; false: no segment is free.
  bool open_segment(std::uint32_t die, OpenSegment& open);
  /// Whatever the victim, its copies find room without an erase that has to wait.
  [[nodiscard]] bool has_room_at_once(std::uint32_t die) const;

  // --- copies, while copying() ---
  /// The valid pages of a segment that is on no list; false: there was no room for all of them.
  bool move_pages(std::uint32_t die, std::uint32_t segment);
  /// One valid page; false: there was no room.
  bool copy_page(std::uint32_t segment, std::uint32_t from, std::uint32_t stream, MovedPages& moved);
  /// What is known once the copies out of a segment are queued.
  void end_moving(std::uint32_t segment, const MovedPages& moved);
  /// Of a page in that segment.
  [[nodiscard]] std::uint32_t copy_stream(std::uint32_t lpn, std::uint32_t from_segment) {
    const std::uint32_t stream = log_.segments_.stream(from_segment);
    return log_.policies_.live() ? stream : log_.own_.copy_stream(lpn, stream);
  }

  // --- by themselves ---
  /// All pages of a full segment go to that free one, which may be erased; then it is released.
  void move_whole(std::uint32_t from, std::uint32_t to);
  /// After a mount: copies of the pages in these places, those that count, where the next cleaning of the die has room
  /// still. Gives the rest, at the front.
  std::span<std::uint32_t> move_found(std::span<std::uint32_t> ppns);

 private:
  /// The next place of the stream on the die; kUnmapped: no free segment is left.
  std::uint32_t place(std::uint32_t die, std::uint32_t stream);
  /// Of the free ones, which are not always in the order in which they became free; kNoSegment: none is.
  [[nodiscard]] std::uint32_t first_ready(std::uint32_t die) const;
  /// A segment that was free takes pages of the stream from now on.
  void begin_segment(std::uint32_t segment, std::uint32_t stream);
  /// The host's pages go there, and the die may fill one more as SLC; or all do.
  [[nodiscard]] bool is_for_slc(std::uint32_t segment, std::uint32_t stream) const {
    if (log_.config_.regions == VolumeConfig::Regions::slc) return true;
    return log_.slc_.on() && !copying_ && stream != log_.streams_ - 1 && log_.slc_.may_add(segment / log_.per_die_);
  }
  /// Where nothing is separated: from the place `from` on as many as go to the open segment; where to go on.
  std::uint32_t copy_run(std::uint32_t segment, std::uint32_t from, MovedPages& moved);
  void queue_copy(std::uint32_t from, std::uint32_t to, std::uint32_t stream, MovedPages& moved);
  /// The program units that copies have begun: the victim is erased when all of them have ended.
  void pad_copies(std::uint32_t die);
  /// A copy can go there, and the next cleaning of the die has room still.
  [[nodiscard]] bool has_place_to_spare(std::uint32_t die, std::uint32_t stream);
  /// The stream whose open segment on the die has the most room; as many as there are: none is open.
  [[nodiscard]] std::uint32_t roomiest(std::uint32_t die);

  Log& log_;
  PagesInFlight& in_flight_;
  bool copying_ = false;
};

}  // namespace ftlab::volume
