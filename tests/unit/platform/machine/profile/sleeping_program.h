// A program that writes to the part, which stays busy, reports, and sleeps until it is ready, again and again.
#pragma once

#include <memory>

#include "tests/unit/platform/machine/core/small_program.h"
#include "tests/unit/platform/machine/core/thumb_code.h"

namespace ftlab::platform {

inline std::unique_ptr<ProgramMemory> sleeping_in_a_loop() {
  // r0 = interrupt enable, r1 = 1; the part; the queue's report; wfi; back to the part. The handler is bx lr.
  const Code code{load(0, 4), 0x2101, kStoreR1, load(0, 4), kStoreHalfR1, load(2, 4), 0x6011, kWait,  0xE7FA,
                  kNothing,   0xE100, 0xE000,   0x0000,     0x6000,       0x0014,     0x4000, 0x4770, 0x0000};
  return small_program(code, 32);
}

}  // namespace ftlab::platform
