// M4: all pages of a victim are cold when its utilisation is below the average of all data segments.
#include "firmware/policy/members.h"

namespace ftlab::fms::redistribute {
namespace {

class SegmentBased final : public Redistribution {
 public:
  static constexpr std::uint32_t kStreams = 2;
  void plan(const CleaningView& view, std::span<PageMove> moves) override {
    std::uint32_t victim = kNone;
    bool cold = false;
    for (PageMove& move : moves) {
      if (move.segment != victim) {
        victim = move.segment;
        view.probe.count(Work::segment_compare, 1);
        // valid / slots < mapped / (segments * slots), without division.
        cold = std::uint64_t{view.segments.row(victim).valid} * view.data_segments * view.logs <
               std::uint64_t{view.pages.mapped()};
      }
      move.stream = cold ? kCold : kHot;
    }
  }
};

}  // namespace

constexpr RedistributionEntry segment_based =
    member<SegmentBased>("segment_based", "M4: pages of a victim emptier than average are cold, apart from the others");

}  // namespace ftlab::fms::redistribute
