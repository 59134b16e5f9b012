// The division of the spare space among classes that writes least (Eq. 20-22).
#pragma once

#include <vector>

#include "platform/analytic/equations/pools.h"

namespace ftlab::analytic {

/// Share of the spare space for each class. No more is spare than needless_over_provisioning, which would leave the
/// least without a place.
std::vector<double> optimal_split(double x, double pages_per_segment, const Classes& classes);

}  // namespace ftlab::analytic
