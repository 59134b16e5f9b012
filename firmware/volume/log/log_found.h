// What a format or a mount has found on the array, told to the log. Before anything is written, on a cleared log: what
// is bad or not the layer's first, then each page and each segment, then what follows from all of them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "firmware/volume/format/checkpoint_page.h"
#include "firmware/volume/log/log.h"

namespace ftlab::volume {

class LogFound {
 public:
  explicit LogFound(Log& log) : log_(log) {}

  /// The segment carries a bad-block marker.
  void bad(std::uint32_t segment);
  /// The part has it for something else.
  void unused(std::uint32_t segment) { log_.segments_.set_state(segment, SegmentState::fixed); }
  /// What a checkpoint has of the segment.
  void row(std::uint32_t segment, const CheckpointRow& row);
  /// The nth history of the checkpoint of that sequence, see Log::history().
  void history(std::uint64_t nth, const CheckpointHistory& history, std::uint64_t sequence);
  /// It is in use for a checkpoint, or says that a volume begins.
  void held(std::uint32_t segment);
  /// The place holds the newest version of the page that was found so far.
  void page(std::uint32_t lpn, std::uint32_t ppn, std::uint64_t sequence);
  /// No place is left of the page, by what was found so far.
  void lost(std::uint32_t lpn) { log_.map_[lpn] = kLost; }
  /// Nothing is on record of how often the segment was read.
  void unknown(std::uint32_t segment) { log_.refreshes_.found_unknown(segment); }
  /// The first `used` pages of the segment are programmed.
  void segment(std::uint32_t segment, std::uint32_t used, std::uint32_t stream);
  /// A segment was taken into use, and no checkpoint counts that.
  void opened() { ++log_.openings_; }
  /// Of each die the last of those that are free, beyond as many as the volume uses and those that it needs free.
  void leave_rest();
  /// Some page was programmed as that one, whatever became of it.
  void sequence(std::uint64_t sequence) { log_.sequence_ = std::max(log_.sequence_, sequence); }
  /// Every segment was found; `erased`: those without pages need no erase. A segment that is not full was open before:
  /// as many as there are streams are opened again, so that no room is lost that the cleaning under way then still
  /// needs.
  void all(bool erased);
  /// After that: the emptiest segment of a die whose copies of it have no place; kNoSegment: they have. A cleaning that
  /// power loss stopped may have used up all free segments but one, and that one hold what programs on other dies,
  /// which were lost with it, would have replaced.
  [[nodiscard]] std::uint32_t victim_without_room(std::uint32_t die) const;

 private:
  [[nodiscard]] std::uint32_t count_of(std::uint32_t die, SegmentState state) const;
  [[nodiscard]] std::uint32_t in_use(std::uint32_t die) const;
  /// As the stream beside its pages says.
  void set_slc(std::uint32_t segment, std::uint32_t stream);
  /// It is filled as SLC, and a page was found in another place than those.
  [[nodiscard]] bool has_others(std::uint32_t segment) const;
  void open_again();

  Log& log_;
};

}  // namespace ftlab::volume
