// The states of a segment outside of use: erased, free, allocated; or retired and marked bad when it fails. Also writes
// checkpoints, because an erase may need one before it. Knows no pages' content and no policy beyond the order of free
// segments. Invariant: a segment is erased, or marked bad, only when no mount could miss it: what it held is newer
// elsewhere, or a checkpoint says that it was trimmed.
#pragma once

#include <cstdint>
#include <optional>

#include "firmware/ftl/flexfs/state.h"

namespace ftlab::flexfs {

class SegmentPool {
 public:
  explicit SegmentPool(FlexFsState& state) : s_(state) {}

  /// Allocates the free segment that the wear leveling wants, erased; others that fail are marked bad, but `keep` stay
  /// free.
  std::optional<std::uint32_t> allocate(std::uint32_t keep);
  /// A segment without valid pages goes back to the free list, erased; one that fails, or had failed, is marked bad.
  FtlStatus release(std::uint32_t segment);
  /// Erases and counts.
  FlashStatus erase(std::uint32_t segment);
  /// Never programmed or erased again; its valid pages stay readable until they are moved.
  void retire(std::uint32_t segment);
  /// Marks a segment without valid pages bad. A partition then takes the next good segment of the part outside it.
  void mark_bad(std::uint32_t segment);
  /// No more pages go here.
  void close(std::uint32_t segment);
  /// Read-only once what is left cannot hold the logical pages and still be cleaned; a larger reserve where segments
  /// have failed and there is space for it.
  void update_space();
  /// Read-only for good when nothing is free, no log has room for copies, and nothing can be erased without them.
  bool halt_when_full();

  /// Keeps what is mapped now: trims up to here are durable.
  FtlStatus write_checkpoint();
  /// Where reads wear the data, so many are on record that a power loss takes few.
  void record_reads();

 private:
  /// The segment by which the partition grows to its size again, counted as usable; none: it has its size, or the part
  /// has no more.
  [[nodiscard]] std::optional<std::uint32_t> next_outside();
  void recruit();

  FlexFsState& s_;
};

}  // namespace ftlab::flexfs
