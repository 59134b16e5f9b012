// The two models of CAT differ in f(age) alone.
#pragma once

#include "platform/analytic/equations/cat.h"
#include "platform/analytic/model.h"

namespace ftlab::analytic {

/// Throws InputError where there is no equilibrium.
Result cat_result(const Inputs& inputs, AgeFunction damped);

}  // namespace ftlab::analytic
