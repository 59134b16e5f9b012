// What a piece of a campaign found.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "firmware/ftl/ftl.h"

namespace ftlab::tests {

struct CampaignFailure {
  std::string replay;  ///< repeats it
  std::string what;
  std::string setup;
  bool lost = false;  ///< data; otherwise the volume became unusable or a promise was broken
};

/// What the host sees of a damage.
enum class Outcome : std::uint8_t {
  good,      ///< all data is right
  reported,  ///< the mount, or the reads of what is gone, say so
  refused,   ///< no volume of this layer
  silent,    ///< a page holds something else, and nobody says so
};

struct Outcomes {
  std::uint64_t of[4] = {};
  void count(Outcome outcome) { ++of[static_cast<std::size_t>(outcome)]; }
};

struct CampaignTotals {
  std::uint64_t cases = 0;
  std::uint64_t losses = 0;  ///< of power
  std::uint64_t lost = 0;
  std::uint64_t unusable = 0;
  std::uint64_t worn = 0;     ///< cases that ended read-only because segments had failed
  std::uint64_t early = 0;    ///< volumes read-only although their data would fit into what had not failed
  std::uint64_t excused = 0;  ///< mounts without pages that a layer in place had in its buffer
  std::map<std::string, Outcomes> outcomes;  ///< of damage at rest, by its kind
  std::vector<CampaignFailure> failures;

  void add(CampaignFailure failure) {
    ++(failure.lost ? lost : unusable);
    failures.push_back(std::move(failure));
  }
};

/// So many segments that fail in one cleaning take all that copies may go to: nothing can be moved any more, and so
/// nothing erased, even where the data would fit into what is left.
inline constexpr std::uint32_t kFailuresThatEndCopies = 3;

[[nodiscard]] inline std::string name_of(FtlStatus status) {
  constexpr const char* kNames[] = {"ok",         "out_of_range", "no_space",     "not_formatted",
                                    "bad_config", "read_failed",  "write_failed", "read_only"};
  return kNames[static_cast<std::size_t>(status)];
}

}  // namespace ftlab::tests
