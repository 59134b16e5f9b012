// Times that differ from class to class, with flash behind a small cache, for programs of any bytes.
#pragma once

#include <cstdint>
#include <random>

#include "common/core_timing.h"

namespace ftlab::iss {

/// Every third one has a cycle for each instruction.
inline CoreTiming any_timing(std::uint64_t seed, std::uint32_t flash, std::uint32_t flash_bytes) {
  CoreTiming timing;
  if (seed % 3 == 0) return timing;
  std::mt19937_64 random(seed);
  const auto draw = [&random](unsigned from, unsigned to) {
    return static_cast<std::uint8_t>(from + random() % (to - from + 1));
  };
  for (std::uint8_t* cycles :
       {&timing.alu, &timing.multiply, &timing.multiply_long, &timing.divide_least, &timing.load_in_row, &timing.store,
        &timing.branch_not_taken, &timing.jump, &timing.call, &timing.jump_register, &timing.special, &timing.fence})
    *cycles = draw(1, 5);
  timing.divide_most = static_cast<std::uint8_t>(timing.divide_least + draw(0, 30));
  timing.load = static_cast<std::uint8_t>(timing.load_in_row + draw(0, 2));
  timing.branch_taken = static_cast<std::uint8_t>(timing.branch_not_taken + draw(0, 4));
  timing.multiple_register = draw(0, 2);
  timing.data_wait = draw(0, 2);
  timing.exception_entry = draw(0, 20);
  timing.exception_chain = draw(0, 20);
  timing.exception_exit = draw(0, 20);
  const std::uint32_t line_bytes = 4U << draw(0, 3);
  timing.flash = {.base = flash,
                  .size = flash_bytes,
                  .miss = draw(0, 6),
                  .line_bytes = line_bytes,
                  .sets = 2U << draw(0, 2),
                  .ways = draw(1, 3)};
  return timing;
}

}  // namespace ftlab::iss
