// Cleaning: which full segment, why, and what becomes of it once its pages are elsewhere. Waits for what is under way
// where nothing can be cleaned before. Knows no request.
#pragma once

#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/volume/reclaim/moves.h"
#include "firmware/volume/reclaim/planned_cleaning.h"

namespace ftlab::volume {

class Cleaning {
 public:
  Cleaning(Log& log, Moves& moves, PagesInFlight& in_flight) : log_(log), moves_(moves), in_flight_(in_flight) {}

  /// The same code measures and lays out.
  void layout(Arena& arena);
  void clear();

  /// Reclaims a victim; false: nothing to gain on the die, or no room for what must move. Without `wait` also where a
  /// segment that was filled may not be cleaned yet.
  bool clean_one(std::uint32_t die, bool wait = true);
  /// That one, whatever the selection says.
  bool clean_named(std::uint32_t victim, Cause cause);
  /// Cleans a segment whose data should move; false: none can be.
  bool refresh_one();
  /// Between requests: queues the erase of a segment of each die that has become free and may be erased by now, where
  /// the part keeps them erased, and levels wear where that waited for a segment.
  void catch_up(Cause cause = Cause::clean) {
    log_.erase_ahead(cause);
    if (planned_.awaits()) planned_.level_awaited();
  }
  /// Whether policies want to clean, or the host's next pages as SLC need it, where the host stays away for so long.
  [[nodiscard]] bool cleans_in_idle_time(std::uint64_t ns) const {
    return (log_.policies_.idle_water() > 0 && ns >= log_.policies_.idle_min_ns()) ||
           (log_.slc_.on() && ns >= log_.config_.slc_idle_ns && is_slc_work_left());
  }
  /// False: nothing was cleaned.
  bool clean_in_idle_time() { return log_.policies_.live() ? planned_.clean_in_idle_time() : clean_for_slc(); }
  /// For a checkpoint: a segment that holds none of the log's pages, to be erased before what is queued next;
  /// kNoSegment: there is no room.
  std::uint32_t allocate_segment(std::uint32_t die);

  /// Copied out of segments whose data should move.
  [[nodiscard]] std::uint64_t pages_refreshed() const { return pages_refreshed_; }
  /// Segments that were cleaned, by how many of their pages were valid then.
  [[nodiscard]] std::span<const std::uint64_t> victims_by_valid() const { return victims_by_valid_; }
  /// Null, or the broken invariant.
  [[nodiscard]] const char* self_check() const {
    return planned_.counts_awaited() ? nullptr : "moves that wear leveling waits for are miscounted";
  }

 private:
  friend class PlannedCleaning;
  /// Of a segment's pages: what a cleaning before the host needs it has to gain, one in so many.
  static constexpr std::uint32_t kWorthOneIn = 8;

  std::uint32_t pick_victim(std::uint32_t die);
  /// As selection, pools or policies have it.
  std::uint32_t choose_victim(std::uint32_t die);
  /// Policies are not asked: copies of whatever victim they chose might not find room.
  [[nodiscard]] bool falls_back(std::uint32_t die) const {
    return log_.policies_.live() && !log_.dies_[die].recovers && log_.segments_.free().count(die) < log_.copies_to_;
  }
  /// Its copies and their padding take less than it has. Segments that bring none would be cleaned for ever: what
  /// padding takes is to be cleaned again.
  [[nodiscard]] bool brings_room(std::uint32_t segment) const;
  /// What a pause cleans of the die: of the full segments filled as SLC the one with the fewest valid pages; where
  /// there is none and the host's next pages could not fill as many as they may, the emptiest that gains something
  /// worth it.
  [[nodiscard]] std::uint32_t next_for_slc(std::uint32_t die) const;
  [[nodiscard]] bool is_slc_work_left() const;
  /// One of each die; false: none can be cleaned.
  bool clean_for_slc();

  Log& log_;
  Moves& moves_;
  PagesInFlight& in_flight_;
  std::span<std::uint64_t> victims_by_valid_;
  std::uint32_t named_victim_ = kNoSegment;  ///< of the cleaning under way, where no selection chooses it
  Cause named_cause_ = Cause::refresh;       ///< why that one
  std::uint64_t pages_refreshed_ = 0;
  PlannedCleaning planned_{*this};
};

}  // namespace ftlab::volume
