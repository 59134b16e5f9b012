// Cost Age Times selection: minimise u/(1-u) * (1 + erase count) / f(age), f(age) by ftl.age_function. Compared as
// logarithms of the reciprocal.
#include "firmware/policy/members.h"
#include "firmware/policy/select/scored.h"

namespace ftlab::fms::select {
namespace {

class Cat final : public Selection {
 public:
  static constexpr std::string_view kUses[] = {"ties", "age_exponent", "age_function", "age_unit"};

  void layout(Arena& arena, const PolicySetup& setup) override {
    shared_ = setup.shared;
    gain_.layout(arena, setup.slots);
  }
  std::optional<std::uint32_t> pick(const CleaningView& view) override {
    return pick_highest(view, shared_.ties, [&](const SegmentRow& row) {
      return log2_age_factor(age_of(row, view.now), shared_) + gain_.of(row) -
             log2_q32(std::uint64_t{row.erase_count} + 1);
    });
  }

 private:
  SharedParams shared_;
  GainTable gain_;
};

}  // namespace

constexpr SelectionEntry cat = member<Cat>("cat", "the lowest u/(1-u) * (1 + erase count) / age^0.3 (Cost Age Times)");

}  // namespace ftlab::fms::select
