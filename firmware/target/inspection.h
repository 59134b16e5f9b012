// What the firmware says of itself to the board, and what others may ask of it while it runs.
#pragma once

#include <cstdint>

#include "firmware/ftl/flexfs/flexfs.h"
#include "firmware/ftl/ftl.h"
#include "firmware/target/report.h"

namespace ftlab::target {

/// Behind it the firmware serves.
extern Report report;

[[nodiscard]] inline std::uint32_t address_of(const void* at) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(at));
}
/// The report is complete; its functions answer for this layer. `flexfs`: the same one, or null.
void publish(const Ftl& ftl, const FlexFs* flexfs);
/// Serves nothing.
[[noreturn]] void refuse(FtlStatus status, const char* reason);

}  // namespace ftlab::target
