// Cost-benefit selection: maximise f(age) (1-u) / 2u, f(age) = age^exponent. Compared as logarithms; the factor 1/2
// is common to all.
#include "firmware/policy/members.h"
#include "firmware/policy/select/scored.h"

namespace ftlab::fms::select {
namespace {

class CostBenefit final : public Selection {
 public:
  static constexpr std::string_view kUses[] = {"ties", "age_exponent"};

  void layout(Arena& arena, const PolicySetup& setup) override {
    shared_ = setup.shared;
    gain_.layout(arena, setup.slots);
  }
  std::optional<std::uint32_t> pick(const CleaningView& view) override {
    return pick_highest(view, shared_.ties, [&](const SegmentRow& row) {
      return log2_age_factor(age_of(row, view.now), shared_.age_exponent) + gain_.of(row);
    });
  }

 private:
  SharedParams shared_;
  GainTable gain_;
};

}  // namespace

constexpr SelectionEntry cost_benefit = member<CostBenefit>("cost_benefit", "the highest age^0.3 * (1-u) / 2u");

}  // namespace ftlab::fms::select
