/* Flash as the layer uses it: segments of slots, a page each, that are programmed in ascending order, each once between
   two erases, with a tag that belongs to the page. Knows no translation layer. */
#ifndef FLASH_H
#define FLASH_H

#include <stdbool.h>
#include <stdint.h>

#include "flash_size.h"

struct geometry {
  uint32_t segments; /* 0: there is no such part */
  uint32_t slots;    /* of a segment */
  uint32_t page_bytes;
  uint32_t may_be_bad; /* segments, of all; the size does not depend on how many of these are */
};

struct tag {
  uint32_t page;
  uint32_t sequence;
};

enum found { DATA, BLANK, LOST };

struct geometry flash_attach(void);
/* Not to be used at all: bad since the part was made, or somebody else's. */
bool flash_is_bad(uint32_t segment);
/* `into` may be null, for the tag alone. BLANK may look so alone, after a loss of power. */
enum found flash_read(uint32_t segment, uint32_t slot, void* into, struct tag* tag);
/* False: it failed. */
bool flash_program(uint32_t segment, uint32_t slot, const void* from, struct tag tag);
bool flash_erase(uint32_t segment);

#endif
