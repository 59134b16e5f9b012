// Cycles of instructions, from the classes of their steps. Knows steps and no encoding.
#pragma once

#include <cstdint>
#include <span>

#include "common/core_timing.h"
#include "platform/machine/iss/arm/op.h"

namespace ftlab::iss::arm {

/// One instruction loads or stores a single register, and goes on behind itself.
bool is_single_access(std::span<const Op> steps);

/// Of one instruction; a conditional branch is taken. `access_follows`: is_single_access() of the next one.
unsigned cycles_of(std::span<const Op> steps, bool access_follows, const CoreTiming& timing);

}  // namespace ftlab::iss::arm
