// What a part file says about the link of a drive. Knows no device.
#pragma once

#include <optional>

#include "common/link_timing.h"
#include "common/toml/toml_file.h"

namespace ftlab::platform {

/// The table [link] of a part file, where it has one. Throws InputError.
[[nodiscard]] std::optional<LinkTiming> read_link(const spec::TomlFile& part);

}  // namespace ftlab::platform
