// The life of a segment outside of use: erased, born, free, taken; or retired and buried when it fails.
// Knows no pages' content and no policy.
#pragma once

#include <cstdint>
#include <optional>

#include "firmware/ftl/fms/state.h"

namespace ftlab::fms {

class SegmentPool {
 public:
  explicit SegmentPool(FmsState& state) : s_(state) {}

  /// Takes the oldest free segment, waiting for its erase if that still runs. The deferred victim is passed over.
  std::optional<std::uint32_t> take();

  /// A segment without valid pages goes back to the free list: erased and given its birth record. With overlap the
  /// erase is only started. A segment that holds the pending old page joins the list at once and is erased by
  /// settle_deferred(). One that fails or is retired is buried. Not ok: the medium does not allow the erase now, and
  /// the segment stays as it is.
  FtlStatus give_back(std::uint32_t segment);
  /// Erases the deferred victim, or buries it; if any.
  void settle_deferred();
  /// Collects background erases that have ended; waits for one if asked.
  void poll_erases(bool wait);

  /// Erases, counts and tells the medium; ok or what failed. The free list is the caller's.
  FlashStatus renew(std::uint32_t segment);

  /// Never programmed or erased again; its valid pages stay readable and are drained by cleaning.
  void retire(std::uint32_t segment);
  /// Marks a segment without valid pages bad: all entries void.
  void bury(std::uint32_t segment);
  /// No more pages go here.
  void close(std::uint32_t segment);
  /// Once no page is lost any more, what was put aside as damaged is cleaned like any other segment.
  void release_damaged();
  /// A page that cannot be read keeps its segment from being cleaned. Where room is short it is made lost, if the
  /// medium can keep that. False: there is none.
  bool give_up(std::uint32_t segment);
  bool give_up_unreadable();
  /// Read-only once what is left cannot hold the logical pages and still be cleaned; a larger reserve where segments
  /// have failed and there is space for it.
  void judge_space();

  /// Whether a segment is bad, or will be: then what lacks is no fault of the host's.
  [[nodiscard]] bool any_failed() const;

  /// The segment erased last since the last call, or kNone.
  std::uint32_t take_last_erased();

 private:
  FmsState& s_;
  std::uint32_t last_erased_ = kNone;
};

}  // namespace ftlab::fms
