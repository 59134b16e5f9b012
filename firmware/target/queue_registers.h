// The registers of the host queue as a program on the board sees them.
#pragma once

#include <cstdint>

#include "firmware/target/board.h"
#include "hw/regs/host_queue_regs.h"

namespace ftlab::target {

inline volatile std::uint32_t& queue_register(std::uint32_t offset) {
  return *reinterpret_cast<volatile std::uint32_t*>(std::uintptr_t{kHostQueue} + offset);
}

}  // namespace ftlab::target
