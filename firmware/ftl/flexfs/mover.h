// Moves valid pages out of a segment and reclaims it: migration from the SLC to the MLC region (compulsory and in the
// background), cleaning, wear leveling, and refreshing; and sees to it that a host page finds room. One page at a time,
// so that background work can stop after any. Knows no host request; what to move next is asked of victims.h.
// Invariant: make_room() leaves kReserve free segments, so that copies always find room; more where segments have
// failed.
#pragma once

#include <cstdint>

#include "firmware/ftl/flexfs/log_writer.h"
#include "firmware/ftl/flexfs/segment_pool.h"
#include "firmware/ftl/flexfs/state.h"

namespace ftlab::flexfs {

class Mover {
 public:
  Mover(FlexFsState& state, SegmentPool& pool, LogWriter& writer) : s_(state), pool_(pool), writer_(writer) {}

  void clear() { job_ = {}; }

  /// Room for one host page in `region`'s log; where the SLC region cannot have a segment, `region` becomes mlc.
  FtlStatus make_room(Region& region);
  /// Appends a host page to `region`'s log, which has room; when the segment fails, room is made again, and `region`
  /// may change as by make_room().
  Appended<FtlStatus> append(Region& region, const LogPage& page, const std::byte* data);
  /// One page of background work, or the erase of a segment whose last page has gone. False: nothing to do.
  bool step_idle();
  /// After a mount: moves what must not stay where it is (failed segments, data that needs a refresh), if need be into
  /// the last free segment, which the segment that is moved then replaces.
  void move_urgent();
  /// Moves those pages of an open segment that only the part's recovery read still gives: an interrupted program
  /// spoiled them. The segment's refresh mark stays while there is any left, or data that should move for another
  /// reason.
  void rescue_spoiled(std::uint32_t segment);

 private:
  enum class Reason : std::uint8_t { compulsory, background, cleaning, leveling, refresh };
  struct Job {
    std::uint32_t segment = kNone;
    std::uint64_t opened_sequence = 0;
    Reason reason = Reason::background;
  };

  [[nodiscard]] static Cause cause_of(Reason reason);
  FtlStatus clean_for(Region& region);
  /// A page that cannot be read keeps its segment from being reclaimed. Where room is short it is given up: lost, until
  /// it is written or trimmed. This one: of an unreadable segment.
  void give_up(std::uint32_t segment);
  /// False: there is none.
  bool give_up_unreadable();
  FtlStatus migrate_compulsory();
  FtlStatus run(std::uint32_t segment, Reason reason);
  FtlStatus move_first(std::uint32_t segment, Reason reason);
  FtlStatus move_slot(std::uint32_t segment, std::uint32_t slot, Reason reason);
  FtlStatus finish(std::uint32_t segment);
  void pace();
  [[nodiscard]] bool choose_idle_job();
  [[nodiscard]] bool copies_find_room() const;
  /// Whether all valid pages of the segment find room, and its erase then frees what they take.
  [[nodiscard]] bool can_be_moved(std::uint32_t segment) const;
  /// Erases segments without valid pages until there is a reserve.
  void reclaim_empty();

  FlexFsState& s_;
  SegmentPool& pool_;
  LogWriter& writer_;
  Job job_;                        ///< background work begun
  std::uint64_t next_due_ns_ = 0;  ///< paced compulsory migration: start of the next page
};

}  // namespace ftlab::flexfs
