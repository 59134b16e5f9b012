// Cleaning of a log by policies of firmware/policy: which victims are cleaned together, their copies as planned, wear
// leveling, and cleaning in idle time. Knows no flash; copies are the log's.
#pragma once

#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/policy/families.h"
#include "firmware/policy/page_move.h"
#include "firmware/volume/log/log_rows.h"

namespace ftlab::volume {

class Cleaning;
class Log;
class Moves;

class PlannedCleaning {
 public:
  explicit PlannedCleaning(Cleaning& cleaning);

  /// The same code measures and lays out.
  void layout(Arena& arena);
  void clear();

  /// The victim, and others of its die that are cleaned with it, as far as their copies find room at once. Holds until
  /// the next call.
  [[nodiscard]] std::span<const std::uint32_t> victims_with(std::uint32_t victim);
  /// Copies the valid pages of victims of one die; false: there was no room for all of them.
  bool move(std::span<const std::uint32_t> victims);
  /// Moves a segment's data to another one, as the wear leveling wants it; later, where that one may not be erased yet.
  void level_wear(std::uint32_t die);
  /// Some die waits for that.
  [[nodiscard]] bool awaits() const { return awaiting_ > 0; }
  /// For the log's own check.
  [[nodiscard]] bool counts_awaited() const {
    std::uint32_t awaited = 0;
    for (const fms::WearMove& move : awaited_) awaited += move.to != kNoSegment ? 1 : 0;
    return awaited == awaiting_;
  }
  void level_awaited();
  /// In idle time, of each die that has no more free segments than policies want then; false: nothing was cleaned.
  bool clean_in_idle_time();

 private:
  /// Pages of the die that can be copied without waiting for an erase.
  [[nodiscard]] std::uint32_t room_at_once(std::uint32_t die) const;
  /// The valid pages of victims of one die, as they are to be copied. Holds until the next call.
  [[nodiscard]] std::span<const PageMove> plan(std::span<const std::uint32_t> victims);
  [[nodiscard]] std::uint32_t stream_of(const PageMove& move);
  void drop_awaited(std::uint32_t die);
  [[nodiscard]] bool takes_data(std::uint32_t segment) const;

  Cleaning& cleaning_;
  Log& log_;
  Moves& copies_;
  std::span<std::uint32_t> victims_;
  std::span<MovedPages> moved_;  ///< of each victim
  std::span<PageMove> moves_;
  std::span<fms::WearMove> awaited_;  ///< of each die: what wear leveling wants done once it may
  std::uint32_t awaiting_ = 0;        ///< dies with one
};

}  // namespace ftlab::volume
