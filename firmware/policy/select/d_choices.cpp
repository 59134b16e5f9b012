// d-choices selection: the fewest valid pages among d candidates drawn at random, with replacement. It lies between
// random (d = 1) and greedy (many), at the cost of d looks (Van Houdt, SIGMETRICS 2013).
#include "firmware/policy/members.h"
#include "firmware/policy/select/by_valid.h"
#include "firmware/policy/select/drawn.h"

namespace ftlab::fms::select {
namespace {

class DChoices final : public DrawingSelection {
 public:
  struct Params {
    std::uint32_t candidates = kCandidates;
  };
  static constexpr Field<Params> kFields[] = {
      candidates_field<&Params::candidates>("draws"),
  };
  static constexpr std::string_view kUses[] = {"ties"};

  DChoices(const Params& params, const PolicySetup& setup)
      : DrawingSelection(Draws::Consumer::d_choices, setup), params_(params), ties_(setup.shared.ties) {}

  std::optional<std::uint32_t> pick(const CleaningView& view) override {
    if (candidates_.count() == 0) return std::nullopt;
    Random random = draws_.stream();
    return best_drawn(
        params_.candidates, [&] { return draw(view, random); },
        [&](std::uint32_t one, std::uint32_t best) {
          const SegmentRow& row = view.segments.row(one);
          const SegmentRow& so_far = view.segments.row(best);
          return row.valid < so_far.valid || (row.valid == so_far.valid && is_before(ties_, view.segments, one, best));
        });
  }

 private:
  Params params_;
  Ties ties_;
};

}  // namespace

constexpr SelectionEntry d_choices = member<DChoices>(kDChoices.name, kDChoices.help);

}  // namespace ftlab::fms::select
