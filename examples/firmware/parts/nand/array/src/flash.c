/* The controller of a NAND array: operations are descriptors, and what became of them completions; data cross its RAM.
   One operation at a time, in the first slot of that. Of cells that hold several bits only the page that is fast and
   that no other program harms is a slot. */
#include "flash.h"

#include "board.h"
#include "core.h"
#include "dma.h"
#include "regs/array_regs.h"

static struct geometry flash;
static uint32_t pages_per_segment, bits_per_cell;

static volatile uint16_t* cell(uint32_t address) { return (volatile uint16_t*)(PART + address); }
static uint32_t two_cells(uint32_t address) { return *cell(address) | (uint32_t)*cell(address + 2) << 16; }

struct geometry flash_attach(void) {
  const struct geometry none = {0};
  if (two_cells(ARRAY_REG_MAGIC_AT) != ARRAY_MAGIC || *cell(ARRAY_REG_VERSION_AT) != ARRAY_VERSION) return none;
  /* Without a slot it keeps no data. */
  if (*cell(ARRAY_REG_BUFFER_SLOTS) == 0) return none;
  pages_per_segment = two_cells(ARRAY_REG_PAGES_PER_SEGMENT);
  bits_per_cell = *cell(ARRAY_REG_BITS_PER_CELL);
  flash.segments = two_cells(ARRAY_REG_SEGMENTS);
  flash.slots = (pages_per_segment + bits_per_cell - 1) / bits_per_cell;
  flash.page_bytes = two_cells(ARRAY_REG_PAGE_BYTES);
  flash.may_be_bad = (flash.segments + BAD_OF - 1) / BAD_OF;
  return flash.segments > MAX_SEGMENTS || flash.page_bytes > MAX_PAGE_BYTES ? none : flash;
}

/* Of the cells' pages the first one: bits_per_cell divides its number. */
static uint32_t page_of(uint32_t segment, uint32_t slot) { return segment * pages_per_segment + slot * bits_per_cell; }

/* The line is high while there are completions to be read. */
static struct array_completion done(struct array_descriptor operation) {
  static struct array_descriptor descriptor;
  static struct array_completion completion;
  descriptor = operation;
  descriptor.report = 1;
  dma_move(&descriptor, cell(ARRAY_DESCRIPTORS), sizeof descriptor);
  core_disable_interrupts();
  while ((*cell(ARRAY_REG_STATUS) & ARRAY_STATUS_LINE) == 0) {
    core_sleep();
    core_enable_interrupts();
    core_disable_interrupts();
  }
  core_enable_interrupts();
  dma_move(cell(ARRAY_COMPLETIONS), &completion, sizeof completion);
  return completion;
}

bool flash_is_bad(uint32_t segment) {
  return done((struct array_descriptor){.op = ARRAY_OP_CHECK, .page = page_of(segment, 0)}).status != ARRAY_STATUS_OK;
}

enum found flash_read(uint32_t segment, uint32_t slot, void* into, struct tag* tag) {
  const struct array_completion read = done((struct array_descriptor){
      .op = ARRAY_OP_READ, .page = page_of(segment, slot), .buffer = into != NULL ? 0 : ARRAY_NO_BUFFER});
  if (read.status != ARRAY_STATUS_OK && read.status != ARRAY_STATUS_CORRECTED) return LOST;
  if (read.metadata[0] == UINT64_MAX && read.metadata[1] == UINT64_MAX) return BLANK;
  *tag = (struct tag){(uint32_t)read.metadata[0], (uint32_t)(read.metadata[0] >> 32)};
  if (into != NULL) dma_move((void*)PART_DATA, into, flash.page_bytes);
  return DATA;
}

bool flash_program(uint32_t segment, uint32_t slot, const void* from, struct tag tag) {
  dma_move(from, (void*)PART_DATA, flash.page_bytes);
  return done((struct array_descriptor){.op = ARRAY_OP_PROGRAM,
                                        .page = page_of(segment, slot),
                                        .buffer = 0,
                                        .metadata = {(uint64_t)tag.sequence << 32 | tag.page, 0}})
             .status == ARRAY_STATUS_OK;
}

bool flash_erase(uint32_t segment) {
  return done((struct array_descriptor){.op = ARRAY_OP_ERASE, .page = page_of(segment, 0)}).status == ARRAY_STATUS_OK;
}
