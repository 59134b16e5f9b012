/* How much flash the tables of the layer have room for. */
#ifndef FLASH_SIZE_H
#define FLASH_SIZE_H

enum { MAX_SEGMENTS = 4096, MAX_PAGES = 512 * 1024, MAX_PAGE_BYTES = 16384 };

/* Of so many segments one may be bad. */
enum { BAD_OF = 40 };

#endif
