// The states of a segment (erase block) outside of use: erased, free, allocated; or retired and marked bad when it
// fails. Knows no pages' content and no policy.
#pragma once

#include <cstdint>
#include <optional>

#include "firmware/volume/volume.h"

namespace ftlab {

class SegmentPool {
 public:
  explicit SegmentPool(Volume& volume) : v_(volume) {}

  /// Takes the oldest free segment, waiting for its erase if that still runs. The deferred victim is passed over.
  std::optional<std::uint32_t> allocate();

  /// A segment without valid pages goes back to the free list: erased, and given its erase header. With background
  /// erases the erase is only started. A segment that holds the replaced copy joins the list at once and is erased by
  /// release_deferred(). One that fails, or is retired, is marked bad. Not ok: the page store does not allow the erase
  /// now, and the segment stays as it is.
  FtlStatus release(std::uint32_t segment);
  /// Erases the deferred victim, or marks it bad; if any.
  void release_deferred();
  /// Collects background erases that have ended; waits for one if asked.
  void poll_erases(bool wait);
  /// Until none is under way.
  void await_erases();

  /// Erases, counts and writes the erase header; ok or what failed. The free list is the caller's.
  FlashStatus erase(std::uint32_t segment);

  /// Never programmed or erased again; its valid pages stay readable and are drained by cleaning.
  void retire(std::uint32_t segment);
  /// A segment without valid pages that failed: all its entries are void, and it is never used again.
  void mark_bad(std::uint32_t segment);
  /// No more pages go here.
  void close(std::uint32_t segment);
  /// Once no page is lost any more, what was put aside as damaged is cleaned like any other segment.
  void release_damaged();
  /// A page that cannot be read keeps its segment from being cleaned. Where room is short it is made lost, if the
  /// page store can keep that. False: there is none.
  bool give_up(std::uint32_t segment);
  bool give_up_unreadable();
  /// Read-only once what is left cannot hold the logical pages and still be cleaned; a larger reserve where segments
  /// have failed and there is space for it.
  void update_space();

  /// Whether a segment is bad, or will be: then what lacks is no fault of the host's.
  [[nodiscard]] bool any_failed() const;

  /// The segment erased last since the last call, or kNone.
  std::uint32_t pop_last_erased();

 private:
  void count_erase(std::uint32_t segment);
  [[nodiscard]] std::uint32_t oldest_free() const;

  Volume& v_;
  std::uint32_t last_erased_ = kNone;
};

}  // namespace ftlab
