/* Made of ftlab's hw/regs/dma_regs.h by tests/lint/register_headers.py, which is what to change. */
#ifndef FTLAB_DMA_REGS_H
#define FTLAB_DMA_REGS_H

#include <stdint.h>

/* Register map of the board's DMA: one transfer at a time between memory and memory, or memory and a window of the
   part.  Registers have 32 bits and are accessed as words. A transfer takes addresses of the core, and at a window
   of the part it is one burst: a descriptor is whole, and a record read is gone. Memory is as it was when the
   transfer began, or as it will be at its end, and belongs to it in between; so does the bus of the part, for
   which the core waits. The line of the DMA rises when a transfer ends. */

#define DMA_WINDOW_BYTES 0x100u

#define DMA_REG_FROM 0x00u /* address; read and write */
#define DMA_REG_TO 0x04u /* address; read and write */
#define DMA_REG_BYTES 0x08u /* read and write; at a window even */
#define DMA_REG_STATE 0x0Cu /* write DMA_BUSY: begins; read: DMA_BUSY until it has ended, then 0 */

#define DMA_BUSY 1

#endif
