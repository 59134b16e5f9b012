/* The translation layer on a card of arrays, whose programs only clear bits: what was written is read again, after
   cleaning, after a mount, and after losses of power at any program or erase. */
#include "ftl.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "card.h"

enum { SEGMENTS = 8, WRITES = 3000, LOSSES = 400 };

static uint8_t flash[SEGMENTS * SEGMENT_BYTES];
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

void card_read(uint32_t address, void* into, uint32_t bytes) { memcpy(into, flash + address, bytes); }

bool card_program(uint32_t address, const void* from, uint32_t bytes) {
  require(address % 2 == 0 && bytes % 2 == 0 && address + bytes <= sizeof flash, "a program lies on the card");
  const uint8_t* data = from;
  for (uint32_t i = 0; i < bytes; i += 2) {
    if (i == bytes / 2) lose_power_if_due();
    require((flash[address + i] & data[i]) == data[i] && (flash[address + i + 1] & data[i + 1]) == data[i + 1],
            "a program sets no bits");
    flash[address + i] = data[i];
    flash[address + i + 1] = data[i + 1];
  }
  return true;
}

bool card_erase(uint32_t segment) {
  uint8_t* const base = flash + segment * SEGMENT_BYTES;
  memset(base, 0xFF, SEGMENT_BYTES / 2);
  lose_power_if_due();
  memset(base, 0xFF, SEGMENT_BYTES);
  ++erases;
  return true;
}

/* Each page is full of its version. */
static unsigned version[SEGMENTS * 32], pages, under_way;

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
  memset(flash, 0xFF, sizeof flash);
  pages = ftl_start(SEGMENTS) / PAGE_BYTES;
  require(pages > 0 && ftl_mount() == NOT_FORMATTED, "an empty card is not mounted");
  require(ftl_format() == OK, "a card is formatted");
  for (unsigned i = 0; i < WRITES; ++i) write_next();
  require(erases > SEGMENTS * 2, "so many writes need cleaning");
  check_all();
  require(ftl_mount() == OK, "the card is mounted");
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
    left_until_loss = 1 + (unsigned)rand() % 300;
    if (setjmp(power_lost) == 0)
      for (;;) write_next();
    left_until_loss = 0;
    require(ftl_mount() == OK, "the card is mounted after a loss of power");
    if (holds(under_way, version[under_way] + 1)) ++version[under_way];
    check_all();
  }
  printf("ok: %u pages, %u erases, %u losses of power\n", pages, erases, (unsigned)LOSSES);
  return 0;
}
