/* A translation layer: pages of 4 KiB are written one after the other into segments, wherever they belong, and a table
   says where each lies. Cleaning takes the segment with the fewest valid pages. It survives a loss of power at any
   time; it levels no wear, and gives up where the card fails. Knows the card by card.h alone. */
#ifndef FTL_H
#define FTL_H

#include <stdint.h>

#include "board.h"

enum { PAGE_BYTES = 4096 };

/* On a card of so many segments, before anything else. Gives the bytes that it offers the host; 0: too few. */
uint32_t ftl_start(uint32_t segments);
/* Erases the card. */
enum status ftl_format(void);
/* Finds what lies on a card that was formatted. */
enum status ftl_mount(void);
/* Any offset and length. What was never written reads as 0xFF. */
enum status ftl_read(uint64_t offset, void* into, uint32_t length);
enum status ftl_write(uint64_t offset, const void* from, uint32_t length);
/* What is trimmed need not be copied any more; after a loss of power it may be there again. */
enum status ftl_trim(uint64_t offset, uint32_t length);

/* Called when the layer begins and ends to clean; whoever uses it says what becomes of that. */
void works_for(enum cause cause);

#endif
