// Greedy cleaning, hot and cold data mixed: the correction that makes greedy of LRU with uniform writes, used again.
#include <fmt/format.h>

#include "common/input_error.h"
#include "platform/analytic/equations/classes.h"
#include "platform/analytic/equations/uniform.h"
#include "platform/analytic/models/members.h"

namespace ftlab::analytic::members {
namespace {

constexpr const InputRow* kGreedyHotColdNeeds[] = {&kSpareFactor, &kPagesPerSegment, &kAccess, &kData};

Result greedy_hotcold_of(const Inputs& inputs) {
  const auto pages = static_cast<double>(inputs.pages_per_segment);
  const double x = over_provisioning(inputs.spare_factor);
  const double lru = analytic::lru_classes(greedy_surplus(x, pages), inputs.access, inputs.data).write_amplification;
  const double value = lru / continuity_factor(pages);
  if (value < 1 || value > pages) {
    throw InputError(
        fmt::format("spare_factor: {:.7g} is outside the domain of Eq. 16, which for {} pages per segment gives {:.7g} "
                    "instead of a value from 1 to {}; use a {} spare_factor or more pages_per_segment",
                    inputs.spare_factor, inputs.pages_per_segment, value, inputs.pages_per_segment,
                    value < 1 ? "smaller" : "larger"));
  }
  return {value, {{"alpha", "T / U", {1 + x}}, {"lru", "A_LRU of Eq. 16, LRU cleaning with c alpha", {lru}}}};
}

}  // namespace

constexpr Model greedy_hotcold = {"greedy_hotcold", "greedy cleaning, hot and cold data mixed (Eq. 16)",
                                  kGreedyHotColdNeeds, greedy_hotcold_of, 2};

}  // namespace ftlab::analytic::members
