// LRU cleaning when some data is written more often than other (Eq. 17-19; with two classes Eq. 14).
#pragma once

#include <span>
#include <vector>

namespace ftlab::analytic {

struct LruClasses {
  double write_amplification = 1;
  std::vector<double> copies;  ///< R_i of Eq. 18: pages of each class copied for one page written
};

/// x: over-provisioning (uniform.h). Lists have equal lengths and sum to 1; no class is without data.
LruClasses lru_classes(double x, std::span<const double> access, std::span<const double> data);

}  // namespace ftlab::analytic
