// Traces that can be read once only, kept so that they can be read again.
#pragma once

#include <string>

namespace ftlab::workloads {

/// Standard input.
inline constexpr const char* kStandardInput = "-";

/// A path under which `path` can be read as often as wanted: itself, or for standard input ("-"), pipes and devices
/// that of a nameless temporary file with all they hold. It lives as long as the process, children included, and is
/// made by the first call. Throws InputError when the source cannot be read or the file not be written.
std::string rereadable(const std::string& path);

}  // namespace ftlab::workloads
