// M3: one active segment, pages in the order of their hot degree. The coldest come first, so that the hottest share a
// segment with what the host writes next. With one victim at a time the order decides little (ftl.clean_at_once).
// Costs a sort of the victims' pages.
#include <algorithm>

#include "firmware/policy/fixed_point.h"
#include "firmware/policy/members.h"

namespace ftlab::fms::redistribute {
namespace {

class TimesSort final : public Redistribution {
 public:
  static constexpr std::string_view kUses[] = {"age_exponent", "hot_function", "age_unit"};
  static constexpr std::uint32_t kStreams = 1;

  void layout(Arena& arena, const PolicySetup& setup) override { inverse_age_.layout(arena, setup.shared); }
  void plan(const CleaningView& view, std::span<PageMove> moves) override {
    view.probe.count(Work::page_rate, static_cast<std::uint32_t>(moves.size()));
    std::ranges::sort(moves, [&](const PageMove& a, const PageMove& b) {
      const std::uint64_t of_a = degree_of(view, a.lpn);
      const std::uint64_t of_b = degree_of(view, b.lpn);
      return of_a != of_b ? of_a < of_b : a.lpn < b.lpn;
    });
    for (PageMove& move : moves) move.stream = kHot;
  }

 private:
  [[nodiscard]] std::uint64_t degree_of(const CleaningView& view, std::uint32_t lpn) const {
    return inverse_age_.hot_degree_q31(view.pages.updates(lpn), view.now - view.pages.stamp(lpn));
  }

  InverseAge inverse_age_;
};

}  // namespace

constexpr RedistributionEntry times_sort =
    member<TimesSort>("times_sort", "M3: into the active segment, the page of the lowest hot degree first");

}  // namespace ftlab::fms::redistribute
