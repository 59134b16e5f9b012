#include "platform/analytic/models/pool_result.h"

namespace ftlab::analytic {

Classes classes_of(const Inputs& inputs) { return {inputs.access, inputs.data}; }

Result pool_result(const Inputs& inputs, const std::vector<double>& split) {
  const Pools pools = divide(over_provisioning(inputs.spare_factor), static_cast<double>(inputs.pages_per_segment),
                             classes_of(inputs), split);
  Detail alphas{"class_alpha", "T / U of the class alone (Eq. 21-22)", {}, true};
  Detail each{"class_write_amplification", "of the class alone (Eq. 12)", {}, true};
  for (const Greedy& pool : pools.each) {
    alphas.values.push_back(pool.alpha);
    each.values.push_back(pool.write_amplification);
  }
  return {pools.write_amplification, {{"split", "share p of the spare space", split, true}, alphas, each}};
}

}  // namespace ftlab::analytic
