// M4: all pages of a victim are cold when its utilisation is below the average of all data segments.
#include "firmware/policy/policies.h"

namespace ftlab::fms {

void plan_segment_based(const CleaningView& view, std::uint32_t victim, std::span<PageMove> moves) {
  // valid / slots < mapped / (segments * slots), without division.
  view.probe.count(Work::segment_compare, 1);
  const bool cold =
      std::uint64_t{view.segments.row(victim).valid} * view.data_segments < std::uint64_t{view.pages.mapped()};
  for (PageMove& move : moves) move.stream = cold ? kCold : kHot;
}

}  // namespace ftlab::fms
