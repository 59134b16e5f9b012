// Gradually falling threshold (Kawaguchi and others, USENIX 1995): while many segments are free only a victim with much
// garbage is cleaned. What is demanded falls with the free segments, in a straight line, to nothing at the low mark.
// The papers name the rule and give no numbers.
#include <algorithm>

#include "firmware/policy/members.h"

namespace ftlab::fms::trigger {
namespace {

class FallingThreshold final : public Trigger {
 public:
  struct Params {
    std::uint64_t garbage_ppm = 900'000;  ///< of a segment's slots
    std::uint32_t from = 12;
  };
  static constexpr Field<Params> kFields[] = {
      integer_field<&Params::from>("falling_from", "segments", 1, 1e6,
                                   "falling_threshold: cleaning is possible from so many free segments on")
          .not_published(),
      scaled_field<&Params::garbage_ppm>(
          "falling_garbage", "", 1e6, 0, 1,
          "falling_threshold: share of a victim that must be garbage there; it falls to 0 "
          "at ftl.low_water")
          .not_published(),
  };

  FallingThreshold(const Params& params, const PolicySetup& setup) : params_(params), slots_(setup.slots) {}

  bool goes_on(const CleaningView&, const RoomLeft& room) override {
    return room.full ? room.free <= room.low || room.free <= params_.from : room.free < room.high;
  }
  bool is_worth(const CleaningView& view, const RoomLeft& room, std::uint32_t victim) override {
    if (room.free <= room.low || params_.from <= room.low) return true;
    // garbage / slots >= share * (free - low) / (from - low), without division.
    const std::uint64_t garbage = slots_ - view.segments.row(victim).valid;
    view.probe.count(Work::segment_compare, 1);
    return garbage * (params_.from - room.low) * kMillion >=
           params_.garbage_ppm * std::uint64_t{std::min(room.free, params_.from) - room.low} * slots_;
  }

 private:
  static constexpr std::uint64_t kMillion = 1'000'000;
  Params params_;
  std::uint32_t slots_;
};

}  // namespace

constexpr TriggerEntry falling_threshold = member<FallingThreshold>(
    "falling_threshold", "earlier for victims with more garbage: what is demanded falls with the free segments");

}  // namespace ftlab::fms::trigger
