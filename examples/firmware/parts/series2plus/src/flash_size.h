/* How much flash the tables of the layer have room for: a card of 40 MB. */
#ifndef FLASH_SIZE_H
#define FLASH_SIZE_H

enum { MAX_SEGMENTS = 320, MAX_PAGES = MAX_SEGMENTS * 31, MAX_PAGE_BYTES = 4096 };

#endif
