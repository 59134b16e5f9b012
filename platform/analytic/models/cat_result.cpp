#include "platform/analytic/models/cat_result.h"

#include <cmath>

#include "common/input_error.h"
#include "platform/analytic/models/greedy_domain.h"
#include "platform/analytic/models/pool_result.h"

namespace ftlab::analytic {

Result cat_result(const Inputs& inputs, AgeFunction damped) {
  check_greedy_domain(inputs);
  const double share =
      cat_equilibrium(over_provisioning(inputs.spare_factor), static_cast<double>(inputs.pages_per_segment),
                      classes_of(inputs), static_cast<double>(inputs.data_segments), damped);
  if (std::isnan(share)) {
    throw InputError(
        "access: no division of the spare space makes hot and cold segments equally good victims; use classes that "
        "differ less, or a larger spare_factor");
  }
  return pool_result(inputs, {share, 1 - share});
}

}  // namespace ftlab::analytic
