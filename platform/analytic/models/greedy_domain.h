// Where Eq. 11-12 hold: victims hold at least no valid page and at most all but one.
#pragma once

#include "platform/analytic/inputs.h"

namespace ftlab::analytic {

/// Throws InputError outside it.
void check_greedy_domain(const Inputs& inputs);

}  // namespace ftlab::analytic
