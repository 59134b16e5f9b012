// What a part file says of the power of a drive beside its array. Knows no device.
#pragma once

#include <optional>

#include "common/toml/toml_file.h"
#include "platform/machine/drive_power.h"

namespace ftlab::platform {

/// The keys of `power` that only drives have; nothing where the file has none of them. Throws InputError.
[[nodiscard]] std::optional<DrivePower> read_drive_power(const spec::TomlFile& part);

}  // namespace ftlab::platform
