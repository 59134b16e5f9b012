// A program that reports, writes to the part, which stays busy, and sleeps until it is ready, again and again.
#pragma once

#include <memory>

#include "tests/unit/platform/machine/core/small_program.h"
#include "tests/unit/platform/machine/core/thumb_code.h"

namespace ftlab::platform {

inline std::unique_ptr<ProgramMemory> sleeping_in_a_loop() {
  // The queue's report, r1 = 1; the interrupt's enable; the part; wfi; back to the part. The handler is bx lr.
  const Code code{load(2, 6), 0x2101, 0x6011, load(0, 3), kStoreR1, load(0, 3), kStoreHalfR1, kWait,  0xE7FC,
                  kNothing,   0xE100, 0xE000, 0x0000,     0x6000,   0x0014,     0x4000,       0x4770, 0x0000};
  return small_program(code, 32);
}

}  // namespace ftlab::platform
