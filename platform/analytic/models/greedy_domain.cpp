#include "platform/analytic/models/greedy_domain.h"

#include <fmt/format.h>

#include <cmath>

#include "common/input_error.h"
#include "platform/analytic/equations/pools.h"

namespace ftlab::analytic {
namespace {

double spare_factor_of(double x) { return x / (1 + x); }

}  // namespace

void check_greedy_domain(const Inputs& inputs) {
  const auto pages = static_cast<double>(inputs.pages_per_segment);
  if (inputs.pages_per_segment < 2) {
    throw InputError(
        "pages_per_segment: 1 is below the domain of Eq. 11, which needs at least 2; greedy_exact takes 1");
  }
  // At A = N_p, e^-t = 1 - 1 / (N_p + 1/2), and alpha = A * t.
  const double least = std::fma(-pages, std::log1p(-1 / (pages + 0.5)), -1);
  const double most = needless_over_provisioning(pages);
  const double x = over_provisioning(inputs.spare_factor);
  const auto refuse = [&](const char* side, double bound, const char* victims) {
    throw InputError(fmt::format(
        "spare_factor: {:.7g} is {} {:.4g}, where Eq. 11 ends for {} pages per segment (victims would hold {} "
        "valid pages); greedy_exact has no such bound",
        inputs.spare_factor, side, spare_factor_of(bound), inputs.pages_per_segment, victims));
  };
  if (x < least) refuse("below", least, "nothing but");
  if (x > most) refuse("above", most, "fewer than no");
}

}  // namespace ftlab::analytic
