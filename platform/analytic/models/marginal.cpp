// Which class should give up the next segment: the one whose loss of a segment costs least. As printed, Eq. 29 has the
// wrong sign and Eq. 30 adds what it should subtract.
#include <cmath>
#include <cstddef>

#include "platform/analytic/models/greedy_domain.h"
#include "platform/analytic/models/members.h"
#include "platform/analytic/models/pool_result.h"

namespace ftlab::analytic::members {
namespace {

constexpr const InputRow* kMarginalNeeds[] = {&kSpareFactor, &kPagesPerSegment, &kAccess, &kData, &kSplit};

Result marginal_of(const Inputs& inputs) {
  check_greedy_domain(inputs);
  const double x = over_provisioning(inputs.spare_factor);
  const auto pages = static_cast<double>(inputs.pages_per_segment);
  const Pools pools = divide(x, pages, classes_of(inputs), inputs.split);
  Detail costs{"costs", "r |dA|, growth of the write amplification by a segment less, times U (Eq. 30)", {}, true};
  Detail slopes{"derivatives", "of the write amplification of the class alone by its alpha (Eq. 29)", {}, true};
  std::size_t gives = inputs.data.size();
  for (std::size_t i = 0; i < inputs.data.size(); ++i) {
    const double invalid = inputs.split[i] * x;  // in units of the data, as everything here
    slopes.values.push_back(pools.each[i].derivative);
    costs.values.push_back(inputs.access[i] * std::abs(pools.each[i].derivative *
                                                       alpha_step(inputs.data[i] + invalid, invalid * pages, pages)));
    // Who has nothing spare gives nothing.
    if (invalid > 0 && (gives == inputs.data.size() || costs.values[i] < costs.values[gives])) gives = i;
  }
  return {costs.values[gives],
          {{"class", "number of the class that should give up the next segment", {static_cast<double>(gives + 1)}},
           costs,
           slopes,
           {"write_amplification", "with this split (Eq. 20)", {pools.write_amplification}}}};
}

}  // namespace

constexpr Model marginal = {
    "marginal",
    "greedy cleaning, classes apart: what a class loses with a segment, and which should give one up (Eq. 29-30)",
    kMarginalNeeds,
    marginal_of,
    0,
    "least cost of a segment less, times U"};

}  // namespace ftlab::analytic::members
