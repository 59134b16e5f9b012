// M2: one active segment, pages in the order of their last host write. The oldest come first, so that the youngest
// share a segment with what the host writes next. With one victim at a time the order decides little
// (ftl.clean_at_once). Costs a sort of the victims' pages.
#include <algorithm>

#include "firmware/policy/members.h"

namespace ftlab::fms::redistribute {
namespace {

class AgeSort final : public Redistribution {
 public:
  static constexpr std::uint32_t kStreams = 1;
  void plan(const CleaningView& view, std::span<PageMove> moves) override {
    view.probe.count(Work::page_rate, static_cast<std::uint32_t>(moves.size()));
    std::ranges::sort(moves, [&](const PageMove& a, const PageMove& b) {
      const std::uint64_t of_a = view.pages.stamp(a.lpn);
      const std::uint64_t of_b = view.pages.stamp(b.lpn);
      return of_a != of_b ? of_a < of_b : a.lpn < b.lpn;
    });
    for (PageMove& move : moves) move.stream = kHot;
  }
};

}  // namespace

constexpr RedistributionEntry age_sort =
    member<AgeSort>("age_sort", "M2: into the active segment, the page written longest ago first");

}  // namespace ftlab::fms::redistribute
