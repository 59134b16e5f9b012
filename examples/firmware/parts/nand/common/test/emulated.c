/* NAND flash whose pages are programmed once and in order, and which has a bad segment. */
#include "emulated.h"

#include <stdlib.h>
#include <string.h>

#include "flash.h"

enum { SEGMENTS = 12, BAD_ONE = 5, SLOTS = 16, PAGE_BYTES = 2048 };

static struct {
  enum found state;
  struct tag tag;
  uint8_t data[PAGE_BYTES];
} flash[SEGMENTS][SLOTS];
unsigned emulated_erases;

struct geometry flash_attach(void) {
  return (struct geometry){SEGMENTS, SLOTS, PAGE_BYTES, 1};
}

bool flash_is_bad(uint32_t segment) { return segment == BAD_ONE; }

enum found flash_read(uint32_t segment, uint32_t slot, void* into, struct tag* tag) {
  *tag = flash[segment][slot].tag;
  if (into != NULL) memcpy(into, flash[segment][slot].data, PAGE_BYTES);
  return flash[segment][slot].state;
}

bool flash_program(uint32_t segment, uint32_t slot, const void* from, struct tag tag) {
  require(segment < SEGMENTS && segment != BAD_ONE && slot < SLOTS, "a program lies on the flash");
  require(flash[segment][slot].state == BLANK, "a page is programmed once");
  require(slot == 0 || flash[segment][slot - 1].state != BLANK, "pages are programmed in order");
  flash[segment][slot].state = LOST;
  lose_power_if_due();
  memcpy(flash[segment][slot].data, from, PAGE_BYTES);
  flash[segment][slot].tag = tag;
  flash[segment][slot].state = DATA;
  return true;
}

bool flash_erase(uint32_t segment) {
  require(segment < SEGMENTS && segment != BAD_ONE, "an erase is of a good segment");
  for (unsigned slot = 0; slot < SLOTS; ++slot) flash[segment][slot].state = rand() % 2 ? LOST : BLANK;
  lose_power_if_due();
  for (unsigned slot = 0; slot < SLOTS; ++slot) flash[segment][slot].state = BLANK;
  ++emulated_erases;
  return true;
}
