// Policies as a layer gets them: which ones, with the values of their parameters and the marks that they decide by.
#pragma once

#include <cstdint>

#include "firmware/policy/policies.h"

namespace ftlab::fms {

struct PolicyChoice {
  ChosenPolicies chosen;  ///< complete
  PolicyParams params;    ///< of every policy; those of the chosen ones count
  SharedParams shared;    ///< of all policies that use them
  std::uint64_t seed = 1;
  std::uint32_t low_water = 3;
  std::uint32_t high_water = 3;
  std::uint32_t clean_at_once = 1;  ///< segments, at most
  std::uint32_t idle_water = 0;     ///< idle time cleans up to so many free segments; 0: it does not
  bool by_time = false;             ///< their clock is the host's, in nanoseconds, else pages that the host wrote
  std::uint64_t idle_min_ns = 0;    ///< shorter idle times are not worth starting a cleaning

  /// Segments that the policies keep open.
  [[nodiscard]] std::uint32_t streams() const;
  /// Free segments that the copies of one victim may take: all of them stay with the placement, or none does.
  [[nodiscard]] std::uint32_t copy_streams() const;
  [[nodiscard]] std::uint32_t placed_streams() const {
    return chosen.placement != nullptr ? chosen.placement->streams : 0;
  }
};

}  // namespace ftlab::fms
