// Near end of life the most and the least erased segment change places: once the most erased one is free, the data
// of the least erased one (it is rarely written, or it would have been erased) moves there to rest.
// A scan, since it is asked at most once per cleaning and needs the states of both segments at that moment.
#include "firmware/policy/members.h"

namespace ftlab::fms::wear {
namespace {

class Swap final : public WearLeveling {
 public:
  struct Params {
    std::uint64_t start_ppm = 900'000;  ///< of the rated erase cycles
    std::uint32_t from = 0;
    std::uint32_t gap = 64;
  };
  static constexpr Field<Params> kFields[] = {
      scaled_field<&Params::start_ppm>("swap_start", "", 1e6, 0.001, 1,
                                       "swap: begins when a segment has used this share of the rated erase cycles"),
      integer_field<&Params::gap>("swap_spread", "erasures", 1, 1e9,
                                  "swap: least difference of erase counts worth a swap"),
      integer_field<&Params::from>("swap_from", "erasures", 0, 1e9,
                                   "swap: begins when a segment has been erased so often; 0: by ftl.swap_start"),
  };
  static const char* check(const Params& params, const FlashGeometry& geometry) {
    if (params.from == 0 && geometry.rated_erase_cycles == 0)
      return "wear_leveling = \"swap\" needs swap_from, because the part gives no rated erase cycles";
    return params.gap == 0 ? "swap_spread must be at least 1" : nullptr;
  }

  Swap(const Params& params, const PolicySetup& setup)
      : from_count_(params.from != 0
                        ? params.from
                        : static_cast<std::uint32_t>(setup.geometry.rated_erase_cycles * params.start_ppm / 1'000'000)),
        gap_(params.gap) {}

  std::optional<WearMove> pick(const CleaningView& view) override {
    WearMove move;
    std::uint32_t most = 0;
    std::uint32_t least = kNone;
    for (std::uint32_t s = 0; s < view.segments.segments(); ++s) {
      const SegmentRow row = view.segments.row(s);
      if (row.state == SegmentState::fixed || row.state == SegmentState::bad || row.retired) continue;
      if (row.erase_count > most) {
        most = row.erase_count;
        move.to = row.state == SegmentState::free ? s : kNone;
      }
      if (row.state == SegmentState::sealed && row.erase_count < least) {
        least = row.erase_count;
        move.from = s;
      }
    }
    if (most < from_count_ || move.to == kNone || move.from == kNone || most - least < gap_) return std::nullopt;
    return move;
  }

 private:
  std::uint32_t from_count_;
  std::uint32_t gap_;
};

}  // namespace

constexpr WearLevelingEntry swap =
    member<Swap>("swap", "near end of life the least erased segment's data moves to the most erased one");

}  // namespace ftlab::fms::wear
