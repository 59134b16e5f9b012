/* Slots on the card: the first page of a segment is its header, a mark and an entry for each page behind it. An entry
   is programmed in two steps, `page` before the data and the rest behind them, so that a page that a loss of power has
   torn is known by an entry without its end. */
#include "flash.h"

#include "card.h"

enum { PAGE_BYTES = MAX_PAGE_BYTES, SLOTS = SEGMENT_BYTES / PAGE_BYTES - 1, ENTRIES_AT = 16 };
#define UNWRITTEN 0xFFFFFFFFu
#define MARK 0x4C544631u

struct entry {
  uint32_t page;
  uint32_t sequence;
  uint32_t check; /* ~(page ^ sequence) */
};

static uint32_t entry_address(uint32_t segment, uint32_t slot) {
  return segment * SEGMENT_BYTES + ENTRIES_AT + slot * (uint32_t)sizeof(struct entry);
}
static uint32_t data_address(uint32_t segment, uint32_t slot) {
  return segment * SEGMENT_BYTES + (1 + slot) * PAGE_BYTES;
}

struct geometry flash_attach(void) {
  return (struct geometry){.segments = card_attach(), .slots = SLOTS, .page_bytes = PAGE_BYTES};
}

bool flash_is_bad(uint32_t segment) {
  (void)segment;
  return false;
}

enum found flash_read(uint32_t segment, uint32_t slot, void* into, struct tag* tag) {
  uint32_t mark;
  card_read(segment * SEGMENT_BYTES, &mark, sizeof mark);
  if (mark != MARK) return BLANK;
  struct entry entry;
  card_read(entry_address(segment, slot), &entry, sizeof entry);
  if (entry.page == UNWRITTEN) return BLANK;
  if (entry.check != ~(entry.page ^ entry.sequence)) return LOST;
  *tag = (struct tag){entry.page, entry.sequence};
  if (into != 0) card_read(data_address(segment, slot), into, PAGE_BYTES);
  return DATA;
}

bool flash_program(uint32_t segment, uint32_t slot, const void* from, struct tag tag) {
  const struct entry entry = {tag.page, tag.sequence, ~(tag.page ^ tag.sequence)};
  const uint32_t address = entry_address(segment, slot);
  return card_program(address, &entry.page, 4) && card_program(data_address(segment, slot), from, PAGE_BYTES) &&
         card_program(address + 4, &entry.sequence, 8);
}

/* The mark goes before an erase and comes behind it: what a segment without one holds is not looked at. */
bool flash_erase(uint32_t segment) {
  const uint32_t none = 0, mark = MARK;
  return card_program(segment * SEGMENT_BYTES, &none, sizeof none) && card_erase(segment) &&
         card_program(segment * SEGMENT_BYTES, &mark, sizeof mark);
}
