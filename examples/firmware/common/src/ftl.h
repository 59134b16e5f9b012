/* A translation layer: pages are written one after the other into segments, wherever they belong, and a table says
   where each lies. Cleaning takes the segment with the fewest valid pages. It survives a loss of power at any time and
   leaves out segments that were bad from the start; it levels no wear, and gives up where the flash fails later. Knows
   the part by flash.h alone. */
#ifndef FTL_H
#define FTL_H

#include <stdint.h>

#include "board.h"
#include "flash.h"

/* Shares are in millionths. */
enum { MILLIONTHS = 1000000 };

/* Why a part that is there offers nothing. */
#define FTL_NOTHING_LEFT "too few segments are good, or the share `spare` leaves the host nothing"

/* On this flash, before anything else. `spare`: the share of what is not kept free that is left to cleaning. Gives the
   bytes that it offers the host; 0: none, as there are too few segments or all is spare. */
uint64_t ftl_start(const struct geometry* flash, uint32_t spare);
/* Erases the flash. */
enum status ftl_format(void);
/* Finds what lies on flash that was formatted. */
enum status ftl_mount(void);
/* Any offset and length. What was never written reads as 0xFF. */
enum status ftl_read(uint64_t offset, void* into, uint32_t length);
enum status ftl_write(uint64_t offset, const void* from, uint32_t length);
/* What is trimmed need not be copied any more; after a loss of power it may be there again. */
enum status ftl_trim(uint64_t offset, uint32_t length);

/* Called when the layer begins and ends to clean; whoever uses it says what becomes of that. */
void works_for(enum cause cause);

#endif
