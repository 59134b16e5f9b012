/* Made of ftlab's hw/regs/array_regs.h by tests/lint/register_headers.py, which is what to change. */
#ifndef FTLAB_ARRAY_REGS_H
#define FTLAB_ARRAY_REGS_H

#include <stdint.h>

/* Register map and descriptors of the NAND array controller. Byte addresses in a 64 KiB window, little-endian.
   "Segment" is the erase block of one plane; pages count from 0 through the array: page = segment *
   pages_per_segment + page of the segment. A die holds consecutive segments, so that segment s is on die s /
   (segments / dies), and die d on channel d % channels; planes take turns: segment s is on plane s % planes.
   Planes that the controller lets work as one are one plane here, and a segment is the erase block of each.  What
   the part programs at once may hold several of these pages: a program unit, aligned, that is programmed when its
   last page has come. Until then its pages wait in the controller, can be read, and are lost with the power.
   Reads, and copies, that follow each other in a burst and take from one page of the part, or of each plane, sense
   it once.  The controller takes descriptors in bursts and works them off die by die, in the order of each die, as
   soon as the die and the channel are free; reads may be allowed to come before their turn (ARRAY_REG_CONTROL,
   ARRAY_REG_OVERTAKING), but never before what changes their page. A descriptor that asks for it, and every one that does
   not end ok, leaves a completion when it has ended. The ready line is high while as many can be read as ARRAY_REG_GATHER
   says, or any and nothing is under way. */

#define ARRAY_WINDOW_BYTES 0x10000u
#define ARRAY_MAGIC 0x52414C46u /* "FLAR" */
#define ARRAY_VERSION 1
#define ARRAY_NO_PAGE 0xFFFFFFFFu

/* Registers. Those from ARRAY_REG_MAGIC_AT to ARRAY_REG_RATED_CYCLES are fixed; 32-bit ones are read as two cells, the low one first. */
#define ARRAY_REG_MAGIC_AT 0x00u /* 32 bits */
#define ARRAY_REG_VERSION_AT 0x04u /* 16 bits */
#define ARRAY_REG_CHANNELS 0x06u /* 16 bits */
#define ARRAY_REG_DIES_PER_CHANNEL 0x08u /* 16 bits */
#define ARRAY_REG_PLANES 0x0Au /* 16 bits, of a die */
#define ARRAY_REG_SEGMENTS 0x0Cu /* 32 bits, of the whole array */
#define ARRAY_REG_PAGES_PER_SEGMENT 0x10u /* 32 bits */
#define ARRAY_REG_PAGE_BYTES 0x14u /* 32 bits, data */
#define ARRAY_REG_RATED_CYCLES 0x18u /* 32 bits, endurance promised by the part */
#define ARRAY_REG_BITS_PER_CELL 0x1Cu /* 16 bits */
#define ARRAY_REG_CONTENT 0x1Eu /* 16 bits, see Content and ARRAY_HOLDS_UP */
#define ARRAY_REG_BUFFER_SLOTS 0x20u /* 16 bits, pages of data RAM; 0 unless Content::bytes */
#define ARRAY_REG_PAGES_AT_ONCE 0x22u /* 16 bits, of a program unit */
#define ARRAY_REG_LSB_EVERY 0x24u /* 16 bits, units from one LSB unit to the next; 0: none */
#define ARRAY_REG_IDENTITY_BYTES 0x28u
#define ARRAY_REG_CONTROL 0x100u /* 16 bits, read and write, see control */
#define ARRAY_REG_STATUS 0x102u /* 16 bits, see status */
#define ARRAY_REG_GATHER 0x104u /* 16 bits, read and write: completions the line waits for; 0 is 1 */
/* 16 bits, read and write: reads that overtake the same operation of their die at most, before it has begun. The
   first one in 65,536 descriptors overtakes nothing, nor do those behind it until what was queued then has ended. */
#define ARRAY_REG_OVERTAKING 0x106u

#define ARRAY_CONTROL_SUSPEND_PROGRAMS 1 /* a read interrupts a program on its die */
#define ARRAY_CONTROL_SUSPEND_ERASES 2 /* and an erase */

#define ARRAY_STATUS_BUSY 1 /* some descriptor has not ended */
#define ARRAY_STATUS_LINE 2 /* the line is high */
#define ARRAY_STATUS_READABLE_SHIFT 2 /* from here on: completions that can be read now, at most ARRAY_STATUS_MAX_READABLE */
#define ARRAY_STATUS_MAX_READABLE 0x3FFFu

/* Descriptors are written here, ascending from the first; a burst is one write of up to ARRAY_MAX_BURST of them. */
#define ARRAY_DESCRIPTORS 0x8000u
#define ARRAY_MAX_BURST 512
/* Completions are read here, oldest first, in whole records; beyond the last there are records with op none. A
   record read is gone. */
#define ARRAY_COMPLETIONS 0xC000u
#define ARRAY_MAX_COMPLETIONS 512

/* What is kept of what is written. */
enum array_content { ARRAY_CONTENT_NONE, ARRAY_CONTENT_TAG, ARRAY_CONTENT_BYTES };

/* In ARRAY_REG_CONTENT beside it: capacitors keep the drive up after a loss of power, until its firmware has written its
   RAM out. */
#define ARRAY_HOLDS_UP 0x100u
#define ARRAY_CONTENT_MASK 0xFFu

enum array_op { ARRAY_OP_NONE, ARRAY_OP_READ, ARRAY_OP_PROGRAM, ARRAY_OP_ERASE, ARRAY_OP_COPY, ARRAY_OP_CHECK, ARRAY_OP_MARK_BAD, ARRAY_OP_FENCE };

enum array_status { ARRAY_STATUS_OK, ARRAY_STATUS_CORRECTED, ARRAY_STATUS_UNCORRECTABLE, ARRAY_STATUS_PROGRAM_FAILED, ARRAY_STATUS_ERASE_FAILED, ARRAY_STATUS_BAD_SEGMENT, ARRAY_STATUS_ILLEGAL };

/* No data: metadata only, or a part that keeps no bytes. The data still crosses the channel. */
#define ARRAY_NO_BUFFER 0xFFFFu

struct array_descriptor {
  uint8_t op;
  uint8_t report; /* 1: leave a completion also when it ends ok */
  uint16_t tag; /* returned in the completion */
  uint32_t page; /* read, program, copy source; any page of the segment for the others */
  uint32_t target; /* copy */
  uint16_t buffer; /* read, program: slot of the data RAM */
  uint8_t new_metadata; /* copy: 1: with the metadata of the descriptor */
  uint8_t reserved;
  uint64_t metadata[2]; /* program, and copy with new_metadata: kept beside the page */
};

struct array_completion {
  uint8_t op;
  uint8_t status;
  uint16_t tag;
  uint32_t page; /* of the descriptor */
  uint32_t target; /* of the descriptor */
  uint16_t corrected_bits;
  uint8_t must_move; /* read, corrected: 1: nearly too many, so that the data should be written elsewhere */
  uint8_t reserved;
  uint64_t metadata[2]; /* read: what was kept; all ones of an erased page */
};

#endif
