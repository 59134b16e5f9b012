// Declares every member: what the families' files define. The lists are their folders' members.inc.
#pragma once

#include <cstddef>
#include <iterator>

#include "firmware/policy/families.h"

namespace ftlab::fms {

#define FTLAB_MEMBER(name) extern const TriggerEntry name;
namespace trigger {
#include "firmware/policy/trigger/members.inc"
}  // namespace trigger
#undef FTLAB_MEMBER

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

#define FTLAB_MEMBER(name) extern const SeparationEntry name;
namespace separate {
#include "firmware/policy/separate/members.inc"
}  // namespace separate
#undef FTLAB_MEMBER

#define FTLAB_MEMBER(name) extern const PoolChoiceEntry name;
namespace pools {
#include "firmware/policy/pools/members.inc"
}  // namespace pools
#undef FTLAB_MEMBER

#define FTLAB_MEMBER(name) #name,
inline constexpr const char* kTriggerFiles[] = {
#include "firmware/policy/trigger/members.inc"
};
inline constexpr const char* kSelectionFiles[] = {
#include "firmware/policy/select/members.inc"
};
inline constexpr const char* kRedistributionFiles[] = {
#include "firmware/policy/redistribute/members.inc"
};
inline constexpr const char* kPlacementFiles[] = {
#include "firmware/policy/place/members.inc"
};
inline constexpr const char* kWearLevelingFiles[] = {
#include "firmware/policy/wear/members.inc"
};
inline constexpr const char* kSeparationFiles[] = {
#include "firmware/policy/separate/members.inc"
};
inline constexpr const char* kPoolChoiceFiles[] = {
#include "firmware/policy/pools/members.inc"
};
#undef FTLAB_MEMBER

inline constexpr std::size_t kPolicies = std::size(kTriggerFiles) + std::size(kSelectionFiles) +
                                         std::size(kRedistributionFiles) + std::size(kPlacementFiles) +
                                         std::size(kWearLevelingFiles) + std::size(kSeparationFiles) +
                                         std::size(kPoolChoiceFiles);

}  // namespace ftlab::fms
