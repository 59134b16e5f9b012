// The tables of policies: one line each.
#include "firmware/policy/policies.h"

namespace ftlab::fms {
namespace {

constexpr Selection kSelections[] = {
    {"greedy", "the segment with the fewest valid pages", pick_greedy},
    {"cost_benefit", "the highest age^0.3 * (1-u) / 2u", pick_cost_benefit},
    {"cat", "the lowest u/(1-u) * (1 + erase count) / age^0.3 (Cost Age Times)", pick_cat},
};

constexpr Redistribution kRedistributions[] = {
    {"sequential", "M1: into the active segment, in slot order", 1, plan_sequential},
    {"segment_based", "M4: pages of a victim emptier than average are cold, apart from the others", 2,
     plan_segment_based},
    {"fine_grained", "M6: pages whose hot degree exceeds the mean stay hot, the others go apart", 2, plan_fine_grained},
};

constexpr WearLeveling kWearLevelers[] = {
    {"none", "only what the selection does by itself", pick_no_swap},
    {"swap", "near end of life the least erased segment's data moves to the most erased one", pick_swap},
};

}  // namespace

std::span<const Selection> selections() { return kSelections; }
std::span<const Redistribution> redistributions() { return kRedistributions; }
std::span<const WearLeveling> wear_levelers() { return kWearLevelers; }

}  // namespace ftlab::fms
