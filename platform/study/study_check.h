// Rules between parameters of a study. Each broken one is one line that names the key to change.
#pragma once

#include "common/toml/toml_file.h"
#include "platform/study/study.h"

namespace ftlab::platform {

/// `file` is asked only for positions and for which keys were given. Throws InputError.
void check_study(const spec::TomlFile& file, const Study& study);

}  // namespace ftlab::platform
