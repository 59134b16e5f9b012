// Declares every member: what the families' files define. The lists are their folders' members.inc.
#pragma once

#include "firmware/policy/families.h"

namespace ftlab::fms {

#define FTLAB_MEMBER(name) extern const SelectionEntry name;
namespace select {
#include "firmware/policy/select/members.inc"
}  // namespace select
#undef FTLAB_MEMBER

#define FTLAB_MEMBER(name) extern const RedistributionEntry name;
namespace redistribute {
#include "firmware/policy/redistribute/members.inc"
}  // namespace redistribute
#undef FTLAB_MEMBER

#define FTLAB_MEMBER(name) extern const PlacementEntry name;
namespace place {
#include "firmware/policy/place/members.inc"
}  // namespace place
#undef FTLAB_MEMBER

#define FTLAB_MEMBER(name) extern const WearLevelingEntry name;
namespace wear {
#include "firmware/policy/wear/members.inc"
}  // namespace wear
#undef FTLAB_MEMBER

/// How many there are.
#define FTLAB_MEMBER(name) +1
inline constexpr std::uint32_t kSelections = 0
#include "firmware/policy/select/members.inc"
    ;
inline constexpr std::uint32_t kRedistributions = 0
#include "firmware/policy/redistribute/members.inc"
    ;
inline constexpr std::uint32_t kPlacements = 0
#include "firmware/policy/place/members.inc"
    ;
inline constexpr std::uint32_t kWearLevelers = 0
#include "firmware/policy/wear/members.inc"
    ;
#undef FTLAB_MEMBER

}  // namespace ftlab::fms
