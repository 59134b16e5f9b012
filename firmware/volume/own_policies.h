// Policies of a page-mapped volume whose selection looks at all segments: they decide on its log with the trigger of
// the volume itself, and leave copies where its separation and its frontiers have them. Knows no flash.
#pragma once

#include <optional>

#include "firmware/policy/policy_choice.h"
#include "firmware/volume/volume_config.h"

namespace ftlab::volume {

/// What VolumeConfig::policies is to point to; nothing where the selection has lists, which the log asks by itself, or
/// does not exist.
[[nodiscard]] std::optional<fms::PolicyChoice> own_policies(const VolumeConfig& config);

}  // namespace ftlab::volume
