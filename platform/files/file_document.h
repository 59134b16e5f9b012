// A parameter file as JSON inside a result, and back: what a run was made of, so that it can be repeated without its
// files. Knows the two notations; nothing of parts or hosts.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "common/toml/toml_file.h"

namespace ftlab::platform {

/// Everything in the file with what was set in it, in its order.
nlohmann::ordered_json document_of(const spec::TomlFile& file);

/// The same as TOML text, a value a line. document_of() of the text parsed is the document again. Throws InputError
/// "WHERE: ..." for what no document_of() returns.
std::string toml_text(const nlohmann::ordered_json& document, const std::string& where);

}  // namespace ftlab::platform
