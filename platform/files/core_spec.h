// A simulated core and the memory around it as data: cycles by class of instruction, wait states, energy of a cycle.
// Knows no policy and no workload.
#pragma once

#include <cstdint>
#include <string>

#include "common/core_timing.h"

namespace ftlab::platform {

struct CoreSpec {
  std::string name;
  std::string title;
  std::string instruction_set;        ///< "arm" or "riscv"
  std::uint64_t hz = 0;               ///< whole kHz
  CoreTiming timing{};                ///< where the flash lies is the board's to say
  std::uint32_t register_wait = 0;    ///< cycles of each access of the board's registers
  std::uint32_t dma_word = 1;         ///< cycles of DMA from memory to memory, each word
  std::uint64_t active_cycle_pj = 0;  ///< picojoules
  std::uint64_t idle_cycle_pj = 0;    ///< asleep
};

}  // namespace ftlab::platform
