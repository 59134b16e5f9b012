// Core files: TOML -> CoreSpec. Knows keys, units and ranges; the meaning is in platform/files/core_spec.h.
#pragma once

#include "common/toml/toml_file.h"
#include "platform/files/core_spec.h"

namespace ftlab::platform {

/// Reads every key and refuses unknown ones. `mhz`: another clock; 0: the file's. Throws InputError.
CoreSpec load_core_spec(const spec::TomlFile& file, double mhz);

}  // namespace ftlab::platform
