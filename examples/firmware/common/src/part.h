/* The part in the socket with the translation layer on it, as main() sees them. */
#ifndef PART_H
#define PART_H

#include <stdint.h>

struct offer {
  uint64_t bytes; /* for the host; 0: none */
  uint32_t page_bytes;
  const char* why_not;
};

/* Wakes the part, and starts the layer on it. */
struct offer part_attach(void);

#endif
