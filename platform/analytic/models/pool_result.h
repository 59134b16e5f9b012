// What models of separate pools report beside their value.
#pragma once

#include <vector>

#include "platform/analytic/equations/pools.h"
#include "platform/analytic/model.h"

namespace ftlab::analytic {

Classes classes_of(const Inputs& inputs);

/// Pools with this split, their write amplification as the value.
Result pool_result(const Inputs& inputs, const std::vector<double>& split);

}  // namespace ftlab::analytic
