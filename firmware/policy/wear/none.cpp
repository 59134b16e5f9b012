// No wear leveling beyond the selection's own.
#include "firmware/policy/policies.h"

namespace ftlab::fms {

std::optional<WearMove> pick_no_swap(const CleaningView&, const WearLimits&) { return std::nullopt; }

}  // namespace ftlab::fms
