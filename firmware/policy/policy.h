// What every cleaning policy is: an object in the layer's arena that sees each change of what the segments hold, and
// decides when asked. It never touches flash. One that keeps nothing leaves all of this class as it is.
#pragma once

#include <cstdint>

#include "firmware/base/arena.h"
#include "firmware/map/page_table.h"
#include "firmware/map/page_watcher.h"
#include "firmware/map/segment_view.h"
#include "firmware/map/segment_watcher.h"
#include "firmware/policy/shared_params.h"
#include "firmware/port/flash_port.h"
#include "firmware/port/probe_port.h"

namespace ftlab::fms {

/// What a policy may look at when it decides. `now`: policy clock.
struct CleaningView {
  SegmentView segments;
  const PageTable& pages;
  std::uint64_t now;
  std::uint32_t data_segments;  ///< segments that carry data, bad ones included
  ProbePort& probe;             ///< count the work done
  /// Stream of a redistribution for whose page cleaning makes room; kNone: for none, or for one of the placement's.
  std::uint32_t waiting = kNone;
  /// Logs that the pages are spread over, each with segments of its own; those of one of them are seen here. A page's
  /// place is one among these where it lies here.
  std::uint32_t logs = 1;
};

/// Ticks since the segment was taken into use, at least one.
[[nodiscard]] inline std::uint64_t age_of(const SegmentRow& row, std::uint64_t now) {
  return now > row.opened_stamp ? now - row.opened_stamp : 1;
}

/// What is known when policies are made, before anything is mounted.
struct PolicySetup {
  const FlashGeometry& geometry;
  std::uint32_t slots;  ///< of a segment
  std::uint32_t logical_pages;
  SharedParams shared{};
  std::uint64_t seed = 1;                ///< of policies that draw
  const std::uint64_t* clock = nullptr;  ///< the policy clock while the policies live
  std::uint32_t reserve = 1;             ///< ftl.low_water
  bool copies_apart = false;             ///< copies go to segments of their own: of separations
};

class Policy : public SegmentWatcher, public PageWatcher {
 public:
  /// Takes the memory it keeps things in; the same code measures and lays out. clear() comes before any other call.
  virtual void layout(Arena&, const PolicySetup&) {}
  /// Holds what it keeps against the tables: what is wrong, or null.
  [[nodiscard]] virtual const char* self_check(const CleaningView&) const { return nullptr; }

 protected:
  ~Policy() = default;
};

}  // namespace ftlab::fms
