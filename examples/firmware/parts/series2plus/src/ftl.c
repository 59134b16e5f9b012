/* On the card: the first page of a segment is its header, a mark and an entry for each page behind it. An entry is
   programmed in two steps, `page` before the data and the rest behind them, so that a page that a loss of power has
   torn is known by an entry without its end. Of two copies of a page the one with the higher sequence counts. */
#include "ftl.h"

#include <string.h>

#include "card.h"

enum {
  SLOTS = SEGMENT_BYTES / PAGE_BYTES - 1,
  MAX_PAGES = MAX_SEGMENTS * SLOTS,
  KEPT_FREE = 3, /* so many segments that cleaning always finds room for copies */
  ENTRIES_AT = 16
};
#define NOWHERE 0xFFFFFFFFu
#define MARK 0x4C544631u

struct entry {
  uint32_t page;
  uint32_t sequence;
  uint32_t check; /* ~(page ^ sequence) */
};

enum state { DIRTY, ERASED, OPEN, FULL };
static struct {
  enum state state;
  uint32_t used, valid; /* slots */
} segment[MAX_SEGMENTS];
static uint32_t segments, pages, next_sequence, open_segment;
static uint32_t place[MAX_PAGES]; /* segment * SLOTS + slot, or NOWHERE */
static uint8_t page_buffer[PAGE_BYTES], copy_buffer[PAGE_BYTES];

static uint32_t entry_address(uint32_t s, uint32_t slot) {
  return s * SEGMENT_BYTES + ENTRIES_AT + slot * (uint32_t)sizeof(struct entry);
}
static uint32_t data_address(uint32_t at) { return at / SLOTS * SEGMENT_BYTES + (1 + at % SLOTS) * PAGE_BYTES; }

uint32_t ftl_start(uint32_t on_card) {
  segments = on_card;
  /* A fifth of what is not kept free is left to cleaning. */
  pages = on_card > KEPT_FREE + 1 ? (on_card - KEPT_FREE - 1) * SLOTS * 4 / 5 : 0;
  open_segment = NOWHERE;
  next_sequence = 1;
  memset(place, 0xFF, sizeof place);
  memset(segment, 0, sizeof segment);
  return pages * PAGE_BYTES;
}

/* The mark goes before an erase and comes behind it: without one a segment is erased before it is used. */
static bool erase(uint32_t s) {
  const uint32_t none = 0, mark = MARK;
  if (!card_program(s * SEGMENT_BYTES, &none, sizeof none) || !card_erase(s) ||
      !card_program(s * SEGMENT_BYTES, &mark, sizeof mark))
    return false;
  segment[s].state = ERASED;
  segment[s].used = segment[s].valid = 0;
  return true;
}

enum status ftl_format(void) {
  ftl_start(segments);
  for (uint32_t s = 0; s < segments; ++s)
    if (!erase(s)) return WRITE_FAILED;
  return OK;
}

static void moves_to(uint32_t page, uint32_t at) {
  if (place[page] != NOWHERE) --segment[place[page] / SLOTS].valid;
  place[page] = at;
  if (at != NOWHERE) ++segment[at / SLOTS].valid;
}

static uint32_t sequence_at(uint32_t at) {
  struct entry entry;
  card_read(entry_address(at / SLOTS, at % SLOTS), &entry, sizeof entry);
  return entry.sequence;
}

static void find_pages_of(uint32_t s) {
  for (uint32_t slot = 0; slot < SLOTS; ++slot) {
    struct entry entry;
    card_read(entry_address(s, slot), &entry, sizeof entry);
    if (entry.page == NOWHERE) break;
    segment[s].used = slot + 1;
    if (entry.page >= pages || entry.check != ~(entry.page ^ entry.sequence)) continue;
    if (entry.sequence >= next_sequence) next_sequence = entry.sequence + 1;
    const uint32_t known = place[entry.page];
    if (known == NOWHERE || sequence_at(known) < entry.sequence) moves_to(entry.page, s * SLOTS + slot);
  }
  const uint32_t used = segment[s].used;
  segment[s].state = used == 0 ? ERASED : used == SLOTS ? FULL : OPEN;
  if (segment[s].state == OPEN) open_segment = s;
}

enum status ftl_mount(void) {
  ftl_start(segments);
  bool formatted = false;
  for (uint32_t s = 0; s < segments; ++s) {
    uint32_t mark;
    card_read(s * SEGMENT_BYTES, &mark, sizeof mark);
    if (mark != MARK) continue;
    formatted = true;
    find_pages_of(s);
  }
  return formatted ? OK : NOT_FORMATTED;
}

static uint32_t free_segments(void) {
  uint32_t n = 0;
  for (uint32_t s = 0; s < segments; ++s) n += segment[s].state == DIRTY || segment[s].state == ERASED;
  return n;
}

/* One with room; NOWHERE: the card has failed. */
static uint32_t opened(void) {
  if (open_segment != NOWHERE && segment[open_segment].used < SLOTS) return open_segment;
  if (open_segment != NOWHERE) segment[open_segment].state = FULL;
  open_segment = NOWHERE;
  for (uint32_t s = 0; s < segments; ++s) {
    if (segment[s].state != DIRTY && segment[s].state != ERASED) continue;
    if (segment[s].state == DIRTY && !erase(s)) return NOWHERE;
    segment[s].state = OPEN;
    return open_segment = s;
  }
  return NOWHERE;
}

static enum status program_page(uint32_t page, const uint8_t* data) {
  const uint32_t s = opened();
  if (s == NOWHERE) return WRITE_FAILED;
  const uint32_t slot = segment[s].used++, at = s * SLOTS + slot, address = entry_address(s, slot);
  const struct entry entry = {page, next_sequence, ~(page ^ next_sequence)};
  ++next_sequence;
  if (!card_program(address, &entry.page, 4) || !card_program(data_address(at), data, PAGE_BYTES) ||
      !card_program(address + 4, &entry.sequence, 8))
    return WRITE_FAILED;
  moves_to(page, at);
  return OK;
}

static uint32_t victim(void) {
  uint32_t best = NOWHERE;
  for (uint32_t s = 0; s < segments; ++s)
    if (segment[s].state == FULL && (best == NOWHERE || segment[s].valid < segment[best].valid)) best = s;
  return best != NOWHERE && segment[best].valid < SLOTS ? best : NOWHERE;
}

static enum status clean(uint32_t s) {
  for (uint32_t slot = 0; slot < SLOTS && segment[s].valid > 0; ++slot) {
    struct entry entry;
    card_read(entry_address(s, slot), &entry, sizeof entry);
    const uint32_t at = s * SLOTS + slot;
    if (entry.page >= pages || place[entry.page] != at) continue;
    card_read(data_address(at), copy_buffer, PAGE_BYTES);
    const enum status copied = program_page(entry.page, copy_buffer);
    if (copied != OK) return copied;
  }
  segment[s].state = DIRTY;
  return OK;
}

static enum status make_room(void) {
  enum status status = OK;
  works_for(FOR_CLEANING);
  while (status == OK && free_segments() < KEPT_FREE) {
    if (open_segment != NOWHERE && segment[open_segment].used == SLOTS) segment[open_segment].state = FULL;
    const uint32_t s = victim();
    status = s == NOWHERE ? NO_SPACE : clean(s);
  }
  /* Here rather than with the host's page, so that its erase is in the books of cleaning. */
  if (status == OK && opened() == NOWHERE) status = WRITE_FAILED;
  works_for(FOR_HOST);
  return status;
}

static bool in_range(uint64_t offset, uint32_t length) {
  const uint64_t bytes = (uint64_t)pages * PAGE_BYTES;
  return offset <= bytes && length <= bytes - offset;
}

/* The part of [offset, offset + length) that lies in one page. */
static uint32_t part_of_page(uint64_t offset, uint32_t length) {
  const uint32_t left = PAGE_BYTES - (uint32_t)(offset % PAGE_BYTES);
  return length < left ? length : left;
}

static void read_page(uint32_t page, uint8_t* into) {
  if (place[page] == NOWHERE)
    memset(into, 0xFF, PAGE_BYTES);
  else
    card_read(data_address(place[page]), into, PAGE_BYTES);
}

enum status ftl_read(uint64_t offset, void* into, uint32_t length) {
  if (!in_range(offset, length)) return OUT_OF_RANGE;
  for (uint8_t* to = into; length > 0;) {
    const uint32_t part = part_of_page(offset, length);
    read_page((uint32_t)(offset / PAGE_BYTES), page_buffer);
    memcpy(to, page_buffer + offset % PAGE_BYTES, part);
    to += part;
    offset += part;
    length -= part;
  }
  return OK;
}

enum status ftl_write(uint64_t offset, const void* from, uint32_t length) {
  if (!in_range(offset, length)) return OUT_OF_RANGE;
  for (const uint8_t* data = from; length > 0;) {
    const uint32_t page = (uint32_t)(offset / PAGE_BYTES), part = part_of_page(offset, length);
    if (part < PAGE_BYTES) read_page(page, page_buffer);
    memcpy(page_buffer + offset % PAGE_BYTES, data, part);
    enum status status = make_room();
    if (status == OK) status = program_page(page, page_buffer);
    if (status != OK) return status;
    data += part;
    offset += part;
    length -= part;
  }
  return OK;
}

enum status ftl_trim(uint64_t offset, uint32_t length) {
  if (!in_range(offset, length)) return OUT_OF_RANGE;
  const uint32_t end = (uint32_t)((offset + length) / PAGE_BYTES);
  for (uint32_t page = (uint32_t)((offset + PAGE_BYTES - 1) / PAGE_BYTES); page < end; ++page) moves_to(page, NOWHERE);
  return OK;
}
