// Moves valid pages out of a segment and reclaims it: migration from the SLC to the MLC region (compulsory and in the
// background), cleaning, and wear leveling; and sees to it that a host page finds room. One page at a time, so that
// background work can stop after any. Knows no host request; what to move next is asked of victims.h.
// Invariant: make_room() leaves kReserve free segments where it can, so that copies find room; what it cannot do, the
// volume does.
#pragma once

#include <cstdint>

#include "firmware/ftl/flexfs/state.h"

namespace ftlab::flexfs {

class Mover {
 public:
  explicit Mover(FlexFsState& state) : s_(state) {}

  void clear() { job_ = {}; }

  /// Room for one host page in `region`; where the SLC region cannot have a segment, `region` becomes mlc.
  void make_room(Region& region);
  /// One page of background work, or the erase of a segment whose last page has gone. False: nothing to do.
  bool step_idle();

 private:
  enum class Reason : std::uint8_t { compulsory, background, cleaning, leveling };
  struct Job {
    std::uint32_t segment = kNoSegment;
    std::uint32_t erases = 0;  ///< then
    Reason reason = Reason::background;
  };

  [[nodiscard]] static Cause cause_of(Reason reason);
  void migrate_compulsory();
  /// False: not all pages found room.
  bool run(std::uint32_t segment, Reason reason);
  bool move_first(std::uint32_t segment, Reason reason);
  void reclaim(std::uint32_t segment, Reason reason);
  void pace();
  [[nodiscard]] bool choose_idle_job();
  [[nodiscard]] bool is_same(const Job& job) const;

  FlexFsState& s_;
  Job job_;                        ///< background work begun
  std::uint64_t next_due_ns_ = 0;  ///< paced compulsory migration: start of the next page
};

}  // namespace ftlab::flexfs
