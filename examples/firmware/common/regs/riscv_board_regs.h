/* Made of ftlab's hw/regs/riscv_board_regs.h by tests/lint/register_headers.py, which is what to change. */
#ifndef FTLAB_RISCV_BOARD_REGS_H
#define FTLAB_RISCV_BOARD_REGS_H

#include <stdint.h>

/* Registers of a RISC-V core's board that the core itself has none of: its timer, as SiFive's CLINT has it, and
   the controller of interrupt lines, of the layout that "RISC-V Platform-Level Interrupt Controller Specification"
   1.0.0 gives it. Accessed as words. */

/* The timer interrupts while mtime is mtimecmp or more. mtime counts cycles of the core from reset on; reset
   leaves mtimecmp at its largest value. */
#define RISCV_BOARD_CLINT 0x2000000u
#define RISCV_BOARD_CLINT_BYTES 0x10000u
#define RISCV_BOARD_MTIMECMP 0x2004000u /* low word; the high one behind it */
#define RISCV_BOARD_MTIME 0x200BFF8u /* likewise; read */

/* One context. A rising edge of a line makes its source pending, until it is claimed. */
#define RISCV_BOARD_PLIC 0xC000000u
#define RISCV_BOARD_PLIC_BYTES 0x400000u
#define RISCV_BOARD_PRIORITY 0xC000000u /* a word for each source; 0: never interrupts, else up to 7 */
#define RISCV_BOARD_PENDING 0xC001000u /* a bit for each source; read */
#define RISCV_BOARD_ENABLE 0xC002000u /* a bit for each source */
#define RISCV_BOARD_THRESHOLD 0xC200000u /* priorities above it interrupt */
/* Read: the source of the highest priority, the lowest number first, is no longer pending; 0: there is none.
   Write: that source is served, and may be claimed again. */
#define RISCV_BOARD_CLAIM 0xC200004u

/* Source of the board's interrupt line 0; the others follow. */
#define RISCV_BOARD_FIRST_SOURCE 1

#endif
