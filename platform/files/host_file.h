// Host profile files: TOML -> ProcessorProfile. Knows keys, units and ranges; the meaning is in
// platform/files/processor_profile.h.
#pragma once

#include <string_view>

#include "common/toml/toml_file.h"
#include "firmware/port/probe_port.h"
#include "platform/files/processor_profile.h"

namespace ftlab::platform {

/// Key of a piece of work in [work] of a host file.
std::string_view name_of(Work kind);

/// Reads every key and refuses unknown ones. Throws InputError.
ProcessorProfile load_processor_profile(const spec::TomlFile& file);

}  // namespace ftlab::platform
