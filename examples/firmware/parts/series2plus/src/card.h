/* An Intel Series 2+ flash card: it is read like memory, programmed in place from ones to zeros, and erased by
   segments. Knows no translation layer. */
#ifndef CARD_H
#define CARD_H

#include <stdbool.h>
#include <stdint.h>

#include "flash_size.h"

enum { SEGMENT_BYTES = 128 * 1024 };

/* Wakes the card; gives the number of its segments, 0: there is no such card. */
uint32_t card_attach(void);
/* Addresses are bytes of the card and even, as sizes are. Data are of any address. */
void card_read(uint32_t address, void* into, uint32_t bytes);
/* False: the card says that it has failed. */
bool card_program(uint32_t address, const void* from, uint32_t bytes);
bool card_erase(uint32_t segment);

#endif
