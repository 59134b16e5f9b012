// What a trace is, whatever it is called and however it is packed.
#pragma once

#include <string>

namespace ftlab::workloads {

/// SHA-256 of the unpacked bytes, as 64 lower-case hexadecimal digits. Throws InputError as ByteInput does.
std::string trace_digest(const std::string& path);

}  // namespace ftlab::workloads
