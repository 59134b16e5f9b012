// Classes of data in segments of their own, each cleaned greedily, with the spare space divided among them (Eq. 20-22),
// and what a pool loses with a segment (Eq. 29-30).
#pragma once

#include <span>
#include <vector>

#include "platform/analytic/equations/uniform.h"

namespace ftlab::analytic {

/// Who writes how much where: a class is share `access` of the writes and share `data` of the data. Not owned.
struct Classes {
  std::span<const double> access;
  std::span<const double> data;
};

struct Pools {
  std::vector<Greedy> each;
  double write_amplification = 1;  ///< of all writes, Eq. 20
};

/// Where Eq. 12 falls below 1: victims hold no valid page, and more spare space changes nothing.
double needless_over_provisioning(double pages_per_segment);

/// greedy(), with a write amplification of 1 from needless_over_provisioning on.
Greedy pool(double x, double pages_per_segment);

/// `split`: share of the spare space given to each class.
Pools divide(double x, double pages_per_segment, const Classes& classes, std::span<const double> split);

/// By how much the alpha of a pool changes with one segment less (Eq. 30).
double alpha_step(double segments, double invalid_pages, double pages_per_segment);

}  // namespace ftlab::analytic
