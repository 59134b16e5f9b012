// Cost/age/times choosing between a hot and a cold pool: the split of the spare space at which both are equally good
// victims (Eq. 26-28).
#pragma once

#include "platform/analytic/equations/pools.h"

namespace ftlab::analytic {

/// f(age) of the metric, positive and growing; the age of a victim in units of the data, L / A.
using AgeFunction = double (*)(double age, double data_segments);

/// Share of the spare space for the first of two classes; NaN where no split makes both equal.
double cat_equilibrium(double x, double pages_per_segment, const Classes& classes, double data_segments,
                       AgeFunction damped);

}  // namespace ftlab::analytic
