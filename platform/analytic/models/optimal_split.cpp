// Classes in segments of their own, cleaned greedily, the spare space divided so that least is copied. Eq. 20-22 are of
// hot and cold data; any number of classes is divided the same way.
#include "platform/analytic/equations/split.h"
#include "platform/analytic/models/greedy_domain.h"
#include "platform/analytic/models/members.h"
#include "platform/analytic/models/pool_result.h"

namespace ftlab::analytic::members {
namespace {

constexpr const InputRow* kOptimalSplitNeeds[] = {&kSpareFactor, &kPagesPerSegment, &kAccess, &kData};

Result optimal_split_of(const Inputs& inputs) {
  check_greedy_domain(inputs);
  return pool_result(inputs,
                     analytic::optimal_split(over_provisioning(inputs.spare_factor),
                                             static_cast<double>(inputs.pages_per_segment), classes_of(inputs)));
}

}  // namespace

constexpr Model optimal_split = {"optimal_split",
                                 "greedy cleaning, classes apart, the best division of the spare space (Eq. 20-22)",
                                 kOptimalSplitNeeds, optimal_split_of};

}  // namespace ftlab::analytic::members
