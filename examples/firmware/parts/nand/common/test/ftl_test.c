/* The translation layer on flash of arrays, whose pages are programmed once and in order: what was written is read
   again, after cleaning, after a mount, and after losses of power at any program or erase. */
#include "ftl.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEGMENTS = 12, BAD_ONE = 5, SLOTS = 16, PAGE_BYTES = 2048, WRITES = 3000, LOSSES = 1000 };

static struct {
  enum found state;
  struct tag tag;
  uint8_t data[PAGE_BYTES];
} flash[SEGMENTS][SLOTS];
static unsigned erases, left_until_loss; /* 0: power stays */
static jmp_buf power_lost;

static void require(int holds, const char* what) {
  if (holds) return;
  printf("FAILED: %s\n", what);
  exit(1);
}

static void lose_power_if_due(void) {
  if (left_until_loss != 0 && --left_until_loss == 0) longjmp(power_lost, 1);
}

void works_for(enum cause cause) { (void)cause; }

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
  ++erases;
  return true;
}

/* Each page is full of its version. */
static unsigned version[SEGMENTS * SLOTS], pages, under_way;

static void fill(uint8_t* data, unsigned page, unsigned v) { memset(data, (int)(page * 7 + v * 13), PAGE_BYTES); }

static int holds(unsigned page, unsigned v) {
  static uint8_t found[PAGE_BYTES], wanted[PAGE_BYTES];
  require(ftl_read((uint64_t)page * PAGE_BYTES, found, PAGE_BYTES) == OK, "a page is read");
  if (v == 0)
    memset(wanted, 0xFF, PAGE_BYTES);
  else
    fill(wanted, page, v);
  return memcmp(found, wanted, PAGE_BYTES) == 0;
}

static void check_all(void) {
  for (unsigned page = 0; page < pages; ++page)
    require(holds(page, version[page]), "every page holds what was written");
}

static void write_next(void) {
  static uint8_t data[PAGE_BYTES];
  under_way = (unsigned)rand() % pages;
  fill(data, under_way, version[under_way] + 1);
  require(ftl_write((uint64_t)under_way * PAGE_BYTES, data, PAGE_BYTES) == OK, "a page is written");
  ++version[under_way];
}

int main(void) {
  const struct geometry geometry = {SEGMENTS, SLOTS, PAGE_BYTES};
  pages = (unsigned)(ftl_start(&geometry) / PAGE_BYTES);
  require(pages > 0 && ftl_format() == OK, "flash is formatted");
  for (unsigned i = 0; i < WRITES; ++i) write_next();
  require(erases > SEGMENTS * 3, "so many writes need cleaning");
  check_all();
  require(ftl_mount() == OK, "the flash is mounted");
  check_all();

  static uint8_t few[300];
  memset(few, 0x5A, sizeof few);
  require(ftl_write(PAGE_BYTES - 100, few, sizeof few) == OK, "a write reaches over two pages");
  static uint8_t back[400];
  require(ftl_read(PAGE_BYTES - 150, back, sizeof back) == OK && back[50] == 0x5A && back[349] == 0x5A &&
              back[49] == (uint8_t)(version[0] ? version[0] * 13 : 0xFF),
          "the rest of the pages stays");
  require(ftl_write((uint64_t)pages * PAGE_BYTES - 1, few, 2) == OUT_OF_RANGE, "beyond the end nothing is written");
  static uint8_t whole[PAGE_BYTES];
  for (unsigned page = 0; page < 2; ++page) {
    fill(whole, page, ++version[page]);
    require(ftl_write((uint64_t)page * PAGE_BYTES, whole, PAGE_BYTES) == OK, "both pages are whole again");
  }

  for (volatile unsigned loss = 0; loss < LOSSES; ++loss) {
    left_until_loss = 1 + (unsigned)rand() % 100;
    if (setjmp(power_lost) == 0)
      for (;;) write_next();
    left_until_loss = 0;
    require(ftl_mount() == OK, "the flash is mounted after a loss of power");
    if (holds(under_way, version[under_way] + 1)) ++version[under_way];
    check_all();
  }
  printf("ok: %u pages, %u erases, %u losses of power\n", pages, erases, (unsigned)LOSSES);
  return 0;
}
