/* The translation layer on an emulated part: what was written is read again, after cleaning, after a mount, and after
   losses of power at any program or erase. */
#include "ftl.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emulated.h"

enum { WRITES = 3000, LOSSES = 600, LOSS_WITHIN = 200, MOST_PAGES = 1024 };

static unsigned left_until_loss; /* 0: power stays */
static jmp_buf power_lost;

void require(int holds, const char* what) {
  if (holds) return;
  printf("FAILED: %s\n", what);
  exit(1);
}

void lose_power_if_due(void) {
  if (left_until_loss != 0 && --left_until_loss == 0) longjmp(power_lost, 1);
}

void works_for(enum cause cause) { (void)cause; }

/* Each page is full of its version. */
static unsigned version[MOST_PAGES], pages, page_bytes, under_way;
static int trimmed[MOST_PAGES];

static void fill(uint8_t* data, unsigned page, unsigned v) { memset(data, (int)(page * 7 + v * 13), page_bytes); }

static int holds(unsigned page, unsigned v) {
  static uint8_t found[MAX_PAGE_BYTES], wanted[MAX_PAGE_BYTES];
  require(ftl_read((uint64_t)page * page_bytes, found, page_bytes) == OK, "a page is read");
  if (v == 0)
    memset(wanted, 0xFF, page_bytes);
  else
    fill(wanted, page, v);
  return memcmp(found, wanted, page_bytes) == 0;
}

static void check_all(void) {
  for (unsigned page = 0; page < pages; ++page)
    require(holds(page, version[page]), "every page holds what was written");
}

static void write_next(void) {
  static uint8_t data[MAX_PAGE_BYTES];
  under_way = (unsigned)rand() % pages;
  fill(data, under_way, version[under_way] + 1);
  require(ftl_write((uint64_t)under_way * page_bytes, data, page_bytes) == OK, "a page is written");
  ++version[under_way];
  trimmed[under_way] = 0;
}

/* What a trim gives up may be there again after a loss of power, in any of its versions. */
static void take_what_is_there(unsigned page) {
  for (unsigned v = version[page] + 1; v-- > 0;) {
    if (!holds(page, v)) continue;
    trimmed[page] = 0;
    if (v == 0) version[page] = 0;
    if (v != version[page]) {
      static uint8_t data[MAX_PAGE_BYTES];
      fill(data, page, ++version[page]);
      require(ftl_write((uint64_t)page * page_bytes, data, page_bytes) == OK, "a page is written");
    }
    return;
  }
  require(0, "a page that was trimmed holds what once was written, or nothing");
}

static void trim_next(void) {
  const unsigned page = (unsigned)rand() % pages;
  require(ftl_trim((uint64_t)page * page_bytes, page_bytes) == OK, "a page is trimmed");
  require(holds(page, 0), "a page that was trimmed holds nothing");
  trimmed[page] = 1;
}

int main(void) {
  const struct geometry geometry = flash_attach();
  page_bytes = geometry.page_bytes;
  require(ftl_start(&geometry, MILLIONTHS) == 0, "nothing is offered where all is spare");
  const uint64_t half = ftl_start(&geometry, MILLIONTHS / 2), offered = ftl_start(&geometry, MILLIONTHS / 5);
  require(half > 0 && offered > half, "more spare leaves the host less");
  pages = (unsigned)(offered / page_bytes);
  require(pages <= MOST_PAGES && ftl_format() == OK, "flash is formatted");
  for (unsigned i = 0; i < WRITES; ++i) write_next();
  require(emulated_erases > geometry.segments * 3, "so many writes need cleaning");
  check_all();
  require(ftl_mount() == OK, "the flash is mounted");
  check_all();

  static uint8_t few[300];
  memset(few, 0x5A, sizeof few);
  require(ftl_write(page_bytes - 100, few, sizeof few) == OK, "a write reaches over two pages");
  static uint8_t back[400];
  require(ftl_read(page_bytes - 150, back, sizeof back) == OK && back[50] == 0x5A && back[349] == 0x5A &&
              back[49] == (uint8_t)(version[0] ? version[0] * 13 : 0xFF),
          "the rest of the pages stays");
  require(ftl_write(offered - 1, few, 2) == OUT_OF_RANGE, "beyond the end nothing is written");
  static uint8_t whole[MAX_PAGE_BYTES];
  for (unsigned page = 0; page < 2; ++page) {
    fill(whole, page, ++version[page]);
    require(ftl_write((uint64_t)page * page_bytes, whole, page_bytes) == OK, "both pages are whole again");
  }

  for (volatile unsigned loss = 0; loss < LOSSES; ++loss) {
    left_until_loss = 1 + (unsigned)rand() % LOSS_WITHIN;
    if (setjmp(power_lost) == 0)
      for (;;) rand() % 4 == 0 ? trim_next() : write_next();
    left_until_loss = 0;
    require(ftl_mount() == OK, "the flash is mounted after a loss of power");
    if (holds(under_way, version[under_way] + 1)) {
      ++version[under_way];
      trimmed[under_way] = 0;
    }
    for (unsigned page = 0; page < pages; ++page)
      if (trimmed[page]) take_what_is_there(page);
    check_all();
  }
  printf("ok: %u pages, %u erases, %u losses of power\n", pages, emulated_erases, (unsigned)LOSSES);
  return 0;
}
