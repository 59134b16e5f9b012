/* On the flash: the tag of each page says which page of the host it is, and its place in the order of all writes. Of
   two copies of a page the one with the higher sequence counts. A page that a loss of power has torn cannot be read. */
#include "ftl.h"

#include <string.h>

enum { KEPT_FREE = 3 }; /* so many segments that cleaning always finds room for copies */
#define NOWHERE 0xFFFFFFFFu

enum state { BAD, DIRTY, ERASED, OPEN, FULL };
static struct {
  enum state state;
  uint32_t used, valid; /* slots */
} segment[MAX_SEGMENTS];
static struct geometry flash;
static uint32_t pages, next_sequence, open_segment;
static uint32_t place[MAX_PAGES]; /* segment * slots + slot, or NOWHERE */
static uint8_t page_buffer[MAX_PAGE_BYTES], copy_buffer[MAX_PAGE_BYTES];

/* As if nothing lay on the flash. Gives the number of segments that are good. */
static uint32_t forget_all(void) {
  uint32_t good = 0;
  for (uint32_t s = 0; s < flash.segments; ++s) {
    segment[s].state = flash_is_bad(s) ? BAD : DIRTY;
    segment[s].used = segment[s].valid = 0;
    good += segment[s].state == DIRTY;
  }
  open_segment = NOWHERE;
  next_sequence = 1;
  memset(place, 0xFF, pages * sizeof place[0]);
  return good;
}

uint64_t ftl_start(const struct geometry* on, uint32_t spare) {
  flash = *on;
  pages = 0;
  const uint32_t counted = flash.segments - flash.may_be_bad;
  if (forget_all() < counted || counted <= KEPT_FREE + 1 || spare >= MILLIONTHS) return 0;
  const uint64_t usable = (uint64_t)(counted - KEPT_FREE - 1) * flash.slots * (MILLIONTHS - spare) / MILLIONTHS;
  pages = usable < MAX_PAGES ? (uint32_t)usable : MAX_PAGES;
  memset(place, 0xFF, pages * sizeof place[0]);
  return (uint64_t)pages * flash.page_bytes;
}

enum status ftl_format(void) {
  for (uint32_t s = 0; s < flash.segments; ++s)
    if (segment[s].state != BAD && !flash_erase(s)) return WRITE_FAILED;
  forget_all();
  for (uint32_t s = 0; s < flash.segments; ++s)
    if (segment[s].state != BAD) segment[s].state = ERASED;
  return OK;
}

static void moves_to(uint32_t page, uint32_t at) {
  if (place[page] != NOWHERE) --segment[place[page] / flash.slots].valid;
  place[page] = at;
  if (at != NOWHERE) ++segment[at / flash.slots].valid;
}

static uint32_t sequence_at(uint32_t at) {
  struct tag tag;
  return flash_read(at / flash.slots, at % flash.slots, NULL, &tag) == DATA ? tag.sequence : 0;
}

static void find_pages_of(uint32_t s) {
  for (uint32_t slot = 0; slot < flash.slots; ++slot) {
    struct tag tag;
    const enum found found = flash_read(s, slot, NULL, &tag);
    if (found == BLANK) break;
    segment[s].used = slot + 1;
    if (found == LOST || tag.page >= pages) continue;
    if (tag.sequence >= next_sequence) next_sequence = tag.sequence + 1;
    const uint32_t known = place[tag.page];
    if (known == NOWHERE || sequence_at(known) < tag.sequence) moves_to(tag.page, s * flash.slots + slot);
  }
}

/* What looks erased may have lost power while it was: it is erased again before it is used. */
static void open_or_free(uint32_t s) {
  segment[s].state = segment[s].valid == 0 ? DIRTY : segment[s].used == flash.slots ? FULL : OPEN;
  if (segment[s].state != OPEN) return;
  /* One is filled at a time; another one, of a loss of power, is as good as full. */
  if (open_segment != NOWHERE) segment[open_segment].state = FULL;
  open_segment = s;
}

/* Flash that holds nothing is one that was formatted and not written. */
enum status ftl_mount(void) {
  forget_all();
  for (uint32_t s = 0; s < flash.segments; ++s)
    if (segment[s].state != BAD) find_pages_of(s);
  for (uint32_t s = 0; s < flash.segments; ++s)
    if (segment[s].state != BAD) open_or_free(s);
  return OK;
}

static bool is_free(uint32_t s) { return segment[s].state == DIRTY || segment[s].state == ERASED; }

static uint32_t free_segments(void) {
  uint32_t n = 0;
  for (uint32_t s = 0; s < flash.segments; ++s) n += is_free(s);
  return n;
}

/* One with room; NOWHERE: the flash has failed. */
static uint32_t opened(void) {
  if (open_segment != NOWHERE && segment[open_segment].used < flash.slots) return open_segment;
  if (open_segment != NOWHERE) segment[open_segment].state = FULL;
  open_segment = NOWHERE;
  for (uint32_t s = 0; s < flash.segments; ++s) {
    if (!is_free(s)) continue;
    if (segment[s].state == DIRTY && !flash_erase(s)) return NOWHERE;
    segment[s].used = segment[s].valid = 0;
    segment[s].state = OPEN;
    return open_segment = s;
  }
  return NOWHERE;
}

static enum status program_page(uint32_t page, const uint8_t* data) {
  const uint32_t s = opened();
  if (s == NOWHERE) return WRITE_FAILED;
  const uint32_t slot = segment[s].used++;
  if (!flash_program(s, slot, data, (struct tag){page, next_sequence++})) return WRITE_FAILED;
  moves_to(page, s * flash.slots + slot);
  return OK;
}

static uint32_t victim(void) {
  uint32_t best = NOWHERE;
  for (uint32_t s = 0; s < flash.segments; ++s)
    if (segment[s].state == FULL && (best == NOWHERE || segment[s].valid < segment[best].valid)) best = s;
  return best != NOWHERE && segment[best].valid < flash.slots ? best : NOWHERE;
}

static enum status clean(uint32_t s) {
  for (uint32_t slot = 0; slot < flash.slots && segment[s].valid > 0; ++slot) {
    struct tag tag;
    const uint32_t at = s * flash.slots + slot;
    const enum found found = flash_read(s, slot, copy_buffer, &tag);
    if (found != DATA || tag.page >= pages || place[tag.page] != at) continue;
    const enum status copied = program_page(tag.page, copy_buffer);
    if (copied != OK) return copied;
  }
  if (segment[s].valid > 0) return READ_FAILED;
  /* At once: after a loss of power, pages that were trimmed would be there again, and the segment no longer free. */
  segment[s].state = DIRTY;
  if (!flash_erase(s)) return WRITE_FAILED;
  segment[s].used = 0;
  segment[s].state = ERASED;
  return OK;
}

static enum status make_room(void) {
  enum status status = OK;
  works_for(FOR_CLEANING);
  while (status == OK && free_segments() < KEPT_FREE) {
    if (open_segment != NOWHERE && segment[open_segment].used == flash.slots) segment[open_segment].state = FULL;
    const uint32_t s = victim();
    status = s == NOWHERE ? NO_SPACE : clean(s);
  }
  /* Here rather than with the host's page, so that its erase is in the books of cleaning. */
  if (status == OK && opened() == NOWHERE) status = WRITE_FAILED;
  works_for(FOR_HOST);
  return status;
}

static bool in_range(uint64_t offset, uint32_t length) {
  const uint64_t bytes = (uint64_t)pages * flash.page_bytes;
  return offset <= bytes && length <= bytes - offset;
}

/* The part of [offset, offset + length) that lies in one page. */
static uint32_t part_of_page(uint64_t offset, uint32_t length) {
  const uint32_t left = flash.page_bytes - (uint32_t)(offset % flash.page_bytes);
  return length < left ? length : left;
}

static enum status read_page(uint32_t page, uint8_t* into) {
  struct tag tag;
  if (place[page] == NOWHERE)
    memset(into, 0xFF, flash.page_bytes);
  else if (flash_read(place[page] / flash.slots, place[page] % flash.slots, into, &tag) != DATA)
    return READ_FAILED;
  return OK;
}

enum status ftl_read(uint64_t offset, void* into, uint32_t length) {
  if (!in_range(offset, length)) return OUT_OF_RANGE;
  for (uint8_t* to = into; length > 0;) {
    const uint32_t part = part_of_page(offset, length), page = (uint32_t)(offset / flash.page_bytes);
    const bool whole = part == flash.page_bytes;
    const enum status status = read_page(page, whole ? to : page_buffer);
    if (status != OK) return status;
    if (!whole) memcpy(to, page_buffer + offset % flash.page_bytes, part);
    to += part;
    offset += part;
    length -= part;
  }
  return OK;
}

enum status ftl_write(uint64_t offset, const void* from, uint32_t length) {
  if (!in_range(offset, length)) return OUT_OF_RANGE;
  for (const uint8_t* data = from; length > 0;) {
    const uint32_t page = (uint32_t)(offset / flash.page_bytes), part = part_of_page(offset, length);
    const bool whole = part == flash.page_bytes;
    enum status status = whole ? OK : read_page(page, page_buffer);
    if (!whole) memcpy(page_buffer + offset % flash.page_bytes, data, part);
    if (status == OK) status = make_room();
    if (status == OK) status = program_page(page, whole ? data : page_buffer);
    if (status != OK) return status;
    data += part;
    offset += part;
    length -= part;
  }
  return OK;
}

enum status ftl_trim(uint64_t offset, uint32_t length) {
  if (!in_range(offset, length)) return OUT_OF_RANGE;
  const uint32_t end = (uint32_t)((offset + length) / flash.page_bytes);
  for (uint32_t page = (uint32_t)((offset + flash.page_bytes - 1) / flash.page_bytes); page < end; ++page)
    moves_to(page, NOWHERE);
  return OK;
}
