// Greedy cleaning, the segment with the fewest valid pages is the victim; uniform writes. Eq. 11 with its factor
// mended.
#include "platform/analytic/equations/uniform.h"
#include "platform/analytic/models/greedy_domain.h"
#include "platform/analytic/models/members.h"

namespace ftlab::analytic::members {
namespace {

constexpr const InputRow* kGreedyNeeds[] = {&kSpareFactor, &kPagesPerSegment};

Result greedy_of(const Inputs& inputs) {
  check_greedy_domain(inputs);
  const Greedy state =
      analytic::greedy(over_provisioning(inputs.spare_factor), static_cast<double>(inputs.pages_per_segment));
  return {state.write_amplification,
          {{"alpha", "T / U", {state.alpha}},
           {"x0", "fewest valid pages that a noticeable share of segments has (Eq. 11)", {state.x0}},
           {"derivative", "of the write amplification by alpha (Eq. 29)", {state.derivative}}}};
}

}  // namespace

constexpr Model greedy = {"greedy", "greedy cleaning, uniform writes (Eq. 11-12)", kGreedyNeeds, greedy_of};

}  // namespace ftlab::analytic::members
