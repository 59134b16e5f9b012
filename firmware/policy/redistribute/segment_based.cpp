// M4: all pages of a victim are cold when its utilisation is below the average of all data segments.
#include "firmware/policy/members.h"

namespace ftlab::fms::redistribute {
namespace {

class SegmentBased final : public Redistribution {
 public:
  static constexpr std::uint32_t kStreams = 2;
  void plan(const CleaningView& view, std::uint32_t victim, std::span<PageMove> moves) override {
    // valid / slots < mapped / (segments * slots), without division.
    view.probe.count(Work::segment_compare, 1);
    const bool cold =
        std::uint64_t{view.segments.row(victim).valid} * view.data_segments < std::uint64_t{view.pages.mapped()};
    for (PageMove& move : moves) move.stream = cold ? kCold : kHot;
  }
};

}  // namespace

constexpr RedistributionEntry segment_based =
    member<SegmentBased>("segment_based", "M4: pages of a victim emptier than average are cold, apart from the others");

}  // namespace ftlab::fms::redistribute
