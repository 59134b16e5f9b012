// Cost-benefit selection: maximise f(age) (1-u) / 2u, f(age) by ftl.age_function. Compared as logarithms; the factor
// 1/2 is common to all.
#include <algorithm>

#include "firmware/policy/members.h"
#include "firmware/policy/select/scored.h"

namespace ftlab::fms::select {
namespace {

/// The papers name the time of the last invalidation, and the published tables fit the other one.
enum class BenefitAge : std::uint8_t { created, invalidated };
constexpr EnumName<BenefitAge> kBenefitAges[] = {{"created", BenefitAge::created},
                                                 {"invalidated", BenefitAge::invalidated}};

class CostBenefit final : public Selection {
 public:
  struct Params {
    BenefitAge benefit_age = BenefitAge::created;
  };
  static constexpr Field<Params> kFields[] = {
      choice_field<&Params::benefit_age, kBenefitAges>(
          "benefit_age",
          "since when a segment's age counts: since it was taken into use, or since one of its pages last "
          "became garbage (what did so before a mount is not known)")
          .not_published(),
  };
  static constexpr std::string_view kUses[] = {"ties", "age_exponent", "age_function", "age_unit"};

  CostBenefit(const Params& params, const PolicySetup& setup) : params_(params), clock_(setup.clock) {}
  void layout(Arena& arena, const PolicySetup& setup) override {
    shared_ = setup.shared;
    gain_.layout(arena, setup.slots);
    if (params_.benefit_age == BenefitAge::invalidated)
      invalidated_ = arena.take<std::uint64_t>(setup.geometry.segments);
  }
  void clear() override { std::ranges::fill(invalidated_, 0); }
  void on_invalidate(const SegmentView&, std::uint32_t segment) override {
    if (!invalidated_.empty()) invalidated_[segment] = *clock_;
  }

  std::optional<std::uint32_t> pick(const CleaningView& view) override {
    return pick_highest(view, shared_.ties, [&](const SegmentRow& row) {
      return log2_age_factor(age(view, row), shared_) + gain_.of(row);
    });
  }

 private:
  /// A stamp from before the segment was taken into use is of what it held then.
  [[nodiscard]] std::uint64_t age(const CleaningView& view, const SegmentRow& row) const {
    if (invalidated_.empty()) return age_of(row, view.now);
    const std::uint64_t since = std::max(invalidated_[row.id], row.opened_stamp);
    return view.now > since ? view.now - since : 1;
  }

  Params params_;
  const std::uint64_t* clock_;
  SharedParams shared_;
  GainTable gain_;
  std::span<std::uint64_t> invalidated_;  ///< policy clock of the last page that ceased to count; empty: not asked for
};

}  // namespace

constexpr SelectionEntry cost_benefit = member<CostBenefit>("cost_benefit", "the highest age^0.3 * (1-u) / 2u");

}  // namespace ftlab::fms::select
