// Policies as a layer gets them: which ones, with the values of their parameters and the marks that they decide by.
#pragma once

#include <cstdint>

#include "firmware/policy/policies.h"

namespace ftlab::fms {

/// Why a combination is refused.
inline constexpr const char* kPoolsNeedLists =
    "pool_choice chooses among victims of the pools, each from lists of its own, and this selection looks at all "
    "segments "
    "of a die: use selection = \"greedy\" or another one that `ftlab policies` says has lists, or pool_choice = "
    "\"together\"";

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
  /// Streams among which the log separates pages by itself, in place of the redistribution; 0: it does not.
  std::uint32_t separated_streams = 0;
  std::uint32_t separated_copies = 0;  ///< of those, that pages of one victim may go to
  /// The selection is asked in its listed form, for a victim of each pool.
  bool by_pools = false;

  /// Segments that the policies keep open.
  [[nodiscard]] std::uint32_t streams() const;
  /// Free segments that the copies of one victim may take: all of them stay with the placement, or none does.
  [[nodiscard]] std::uint32_t copy_streams() const;
  [[nodiscard]] std::uint32_t placed_streams() const {
    return chosen.placement != nullptr ? chosen.placement->streams : 0;
  }

 private:
  /// All but a redistribution that only sorts.
  template <class F>
  void for_each_that_places(F&& f) const {
    chosen.for_each([&](const PolicyEntry& entry) {
      if (separated_streams == 0 || &entry != chosen.redistribution) f(entry);
    });
  }
};

}  // namespace ftlab::fms
