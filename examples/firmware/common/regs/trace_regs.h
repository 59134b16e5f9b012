/* Made of ftlab's hw/regs/trace_regs.h by tests/lint/register_headers.py, which is what to change. */
#ifndef FTLAB_TRACE_REGS_H
#define FTLAB_TRACE_REGS_H

#include <stdint.h>

/* Register map of the trace unit: counters and marks of the firmware's own, for the books of the simulator; what
   silicon has in an instrumentation trace.  Registers have 32 bits and are accessed as words. Neither a reset nor
   a loss of power clears a counter. */

#define TRACE_WINDOW_BYTES 0x100u
#define TRACE_COUNTERS 16
#define TRACE_MARKS 16

#define TRACE_REG_COUNTER 0x00u /* the first of TRACE_COUNTERS; write: adds; read: the sum modulo 2^32 */
#define TRACE_REG_MARK 0x40u /* write: the number of a mark, below TRACE_MARKS, that the program has come to */

#endif
