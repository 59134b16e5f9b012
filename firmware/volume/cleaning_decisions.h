// What cleaning asks of a layer: the victim, and where its pages go.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "firmware/map/segment_table.h"

namespace ftlab {

/// A valid page about to be moved.
struct PageMove {
  std::uint32_t lpn = 0;
  std::uint16_t slot = 0;
  StreamId stream = 0;
  std::uint32_t segment = 0;  ///< the victim
};

/// Free segments.
struct WaterMarks {
  std::uint32_t low = 1;   ///< cleaning starts when a stream is without room and free <= this
  std::uint32_t high = 1;  ///< once the stream has room again, cleaning goes on while free < this
  /// Segments that are cleaned together, at most: fewer where their valid pages do not fit beside a free segment.
  std::uint32_t at_once = 1;
};

/// What a layer decides about cleaning: the victim is a candidate, see candidate_index.h.
class CleaningDecisions {
 public:
  CleaningDecisions() = default;
  CleaningDecisions(const CleaningDecisions&) = delete;
  CleaningDecisions& operator=(const CleaningDecisions&) = delete;

  /// Whether cleaning goes on before a stream that is full, or has room again, gets on with its pages.
  virtual bool goes_on(bool full, std::uint32_t free, const WaterMarks& marks) {
    return full ? free <= marks.low : free < marks.high;
  }
  /// Whether a victim is worth cleaning now. If not, cleaning ends for now.
  virtual bool is_worth(std::uint32_t /*victim*/, std::uint32_t /*free*/, const WaterMarks&) { return true; }
  /// A candidate, or none.
  virtual std::optional<std::uint32_t> pick_victim() = 0;
  /// One with the fewest valid pages: asked where the first choice does not fit into the room for copies.
  virtual std::optional<std::uint32_t> pick_fewest_valid() = 0;
  /// Sets the stream of each page and may reorder the pages, which come victim by victim in slot order.
  virtual void plan(std::span<PageMove> moves) = 0;
  /// Victims were released.
  virtual void cleaned() {}

 protected:
  ~CleaningDecisions() = default;
};

}  // namespace ftlab
