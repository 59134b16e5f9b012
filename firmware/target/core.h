// What the program needs of the core that it is compiled for: a timer that interrupts, the two lines of the board, and
// sleep. Each core has a folder with `core.h` and its start-up code; nothing else of the program knows which one runs
// it.
#pragma once

#ifdef __riscv
#include "firmware/target/riscv/core.h"
#else
#include "firmware/target/arm/core.h"
#endif
