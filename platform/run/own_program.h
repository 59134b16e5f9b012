// A firmware from outside the tree on a core, as a run sees it: it serves the host queue, and says of itself its size
// alone. Knows the head of the report; what such a firmware does is read off the part.
#pragma once

#include <memory>

#include "platform/machine/core/core_processor.h"
#include "platform/run/core_firmware.h"

namespace ftlab::platform {

/// Starts it. Throws InputError when it refuses to serve, or reports what no firmware has. `program` outlives it.
std::unique_ptr<CoreFirmware> start_own_program(Machine& machine, CoreProcessor& processor, const OwnProgram& program);

}  // namespace ftlab::platform
