// d-choices selection: the fewest valid pages among d candidates drawn at random, with replacement. It lies between
// random (d = 1) and greedy (many), at the cost of d looks (Van Houdt, SIGMETRICS 2013). In lists it draws from one
// generator for all dies, and of equals takes the one that was drawn first.
#include "firmware/base/random.h"
#include "firmware/policy/members.h"
#include "firmware/policy/select/drawn.h"

namespace ftlab::fms::select {
namespace {

struct DChoicesParams {
  std::uint32_t candidates = 10;
};

/// Of so many that `draw` gives, with replacement, the first that no other goes before.
template <class Draw, class GoesBefore>
std::uint32_t best_drawn(std::uint32_t candidates, Draw&& draw, GoesBefore&& goes_before) {
  std::uint32_t best = draw();
  for (std::uint32_t i = 1; i < candidates; ++i) {
    const std::uint32_t one = draw();
    if (goes_before(one, best)) best = one;
  }
  return best;
}

class DChoices final : public DrawingSelection {
 public:
  using Params = DChoicesParams;
  static constexpr Field<Params> kFields[] = {
      integer_field<&Params::candidates>("candidates", "segments", 1, 1000,
                                         "d_choices: segments drawn at random for each victim")
          .formerly("draws"),
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
          const SegmentRow row = view.segments.row(one);
          const SegmentRow so_far = view.segments.row(best);
          return row.valid < so_far.valid || (row.valid == so_far.valid && is_before(ties_, view.segments, one, best));
        });
  }

 private:
  Params params_;
  Ties ties_;
};

class ListedDChoices final : public ListedSelection {
 public:
  using Params = DChoicesParams;

  ListedDChoices(const Params& params, const ListedSetup& setup)
      : ListedSelection(setup), candidates_(params.candidates), random_(setup.seed) {}

  void sealed(std::uint32_t segment, std::uint32_t group) override { s_.segments.put(segment, group, 0); }
  std::uint32_t pick(std::uint32_t group) override {
    if (s_.segments.listed_in(group) == 0) return kNoSegment;
    return best_drawn(
        candidates_, [&] { return draw(group); },
        [&](std::uint32_t one, std::uint32_t best) { return s_.segments.valid(one) < s_.segments.valid(best); });
  }

 private:
  /// Of all segments of the die those that are full and of the pool are most, so that few draws miss.
  std::uint32_t draw(std::uint32_t group) {
    const std::uint32_t first = group / s_.pools * s_.segments_per_die;
    for (;;) {
      const std::uint32_t segment = first + random_.below(s_.segments_per_die);
      if (s_.segments.listed(segment) && s_.segments.group_of(segment) == group) return segment;
    }
  }

  std::uint32_t candidates_;
  Random random_;
};

}  // namespace

constexpr SelectionEntry d_choices = with_listed<ListedDChoices>(
    member<DChoices>("d_choices", "the fewest valid pages among some segments drawn at random"));

}  // namespace ftlab::fms::select
