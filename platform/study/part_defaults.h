// Defaults that the part decides, and what to say of keys that mean something else on it than their user may think.
// Knows of a firmware what its row says.
#pragma once

#include <string>
#include <vector>

#include "platform/study/firmware_row.h"
#include "platform/study/part_kind.h"

namespace ftlab::platform {

/// A study that names no firmware has that of its way to update, or of its part.
void choose_firmware(Study& study, const PartKind& part, const Given& given);
/// The processor of a drive's firmware (DriveOn), as a study names it.
inline constexpr std::string_view kDriveHost = "ssd-controller";
/// What the firmware and the part give a study beside its load.
void take_defaults(Study& study, const PartKind& part, const Given& given);
/// Of an array, with a firmware that has many requests in flight: enough of them for all dies, and as much written as
/// brings it to rest.
void choose_load(Study& study, const PartKind& part, const Given& given);

/// One line each: on other parts than cards keys of other families that are given with their defaults, so that nothing
/// refuses them; a total that overwrites take the place of; what the firmware has to say; dies that were made more or
/// fewer by themselves.
[[nodiscard]] std::vector<std::string> remarks(const Study& study, const PartKind& part, const Given& given);

}  // namespace ftlab::platform
