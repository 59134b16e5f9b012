// What this process has cost the machine it runs on.
#pragma once

#include <cstdint>

namespace ftlab::platform {

/// Processor time so far, of all its threads.
[[nodiscard]] double process_cpu_s();
/// The most memory it held at once.
[[nodiscard]] std::uint64_t process_peak_bytes();

}  // namespace ftlab::platform
