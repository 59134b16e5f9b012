/* A Samsung Flex-OneNAND: registers, and a buffer of one page with its spare bytes. Of each pair of pages that share
   cells the LSB page is used, which is fast, and which no other program can harm then. */
#include "flash.h"

#include <string.h>

#include "board.h"
#include "core.h"
#include "dma.h"
#include "regs/onenand_regs.h"

enum {
  SEGMENTS_OF_4_GB = 1024, /* of all dies together */
  SLOTS = FLEXONENAND_MLC_PAGES_PER_SEGMENT / 2,
  SECTORS = FLEXONENAND_SECTORS_PER_PAGE,
  SPARE = FLEXONENAND_SECTOR_SPARE_BYTES,
  USER = FLEXONENAND_SPARE_SLOT_USER, /* of the spare bytes of a sector four are ours */
  MOST_OF_MARK = 4                    /* bits that are set in the word of a mark */
};

static uint32_t segments, per_die;

static volatile uint16_t* cell(uint32_t address) { return (volatile uint16_t*)(PART + address); }

/* In the order of programs pages 0 and 1 come first, and then two of every four. */
static uint32_t lsb_page(uint32_t slot) { return slot < 2 ? slot : (slot & ~1u) * 2 - 2 + (slot & 1); }

static void select_die(uint32_t die) {
  *cell(FLEXONENAND_REG_START_ADDRESS2) = die != 0 ? FLEXONENAND_START_ADDRESS_DIE : 0;
}

static void address(uint32_t segment, uint32_t page) {
  const uint32_t die = segment / per_die;
  select_die(die);
  *cell(FLEXONENAND_REG_START_ADDRESS1) =
      (uint16_t)((die != 0 ? FLEXONENAND_START_ADDRESS_DIE : 0) | segment % per_die);
  *cell(FLEXONENAND_REG_START_ADDRESS8) = (uint16_t)(page << FLEXONENAND_START_ADDRESS_PAGE_SHIFT);
}

/* The interrupt bits that a command ends with; the line rises with them. False: the part says that it has failed. */
static bool command(unsigned code, unsigned ends_with) {
  *cell(FLEXONENAND_REG_COMMAND) = (uint16_t)code;
  core_disable_interrupts();
  while ((*cell(FLEXONENAND_REG_INTERRUPT) & ends_with) != ends_with) {
    core_sleep();
    core_enable_interrupts();
    core_disable_interrupts();
  }
  core_enable_interrupts();
  return (*cell(FLEXONENAND_REG_CONTROLLER_STATUS) & FLEXONENAND_STATUS_ERROR) == 0;
}

struct geometry flash_attach(void) {
  const struct geometry none = {0};
  const unsigned device = *cell(FLEXONENAND_REG_DEVICE_ID);
  const unsigned density = (device & FLEXONENAND_ID_DENSITY_MASK) >> FLEXONENAND_ID_DENSITY_SHIFT;
  if (*cell(FLEXONENAND_REG_MANUFACTURER_ID) != FLEXONENAND_ID_SAMSUNG || density < 5 || density > 7 ||
      (device & FLEXONENAND_ID_SEPARATION_MASK) != FLEXONENAND_ID_SEPARATION_FLEX)
    return none;
  segments = SEGMENTS_OF_4_GB << (density - 5);
  const uint32_t dies = (device & FLEXONENAND_ID_DUAL_DIE) != 0 ? 2 : 1;
  per_die = segments / dies;
  *cell(FLEXONENAND_REG_SYSTEM_CONFIG1) = FLEXONENAND_CONFIG_DEFAULT | FLEXONENAND_CONFIG_OUTPUTS_ON;
  *cell(FLEXONENAND_REG_START_BUFFER) = FLEXONENAND_START_BUFFER_PAGE;
  for (uint32_t die = 0; die < dies; ++die) {
    address(die * per_die, 0);
    *cell(FLEXONENAND_REG_START_BLOCK) = 0;
    if (!command(FLEXONENAND_COMMAND_UNLOCK_ALL, FLEXONENAND_INTERRUPT_INT)) return none;
  }
  if (segments > MAX_SEGMENTS) return none;
  return (struct geometry){segments, SLOTS, FLEXONENAND_PAGE_BYTES, (segments + BAD_OF - 1) / BAD_OF};
}

/* Into the buffer. False: it is lost. */
static bool load(uint32_t segment, uint32_t page) {
  address(segment, page);
  bool good = command(FLEXONENAND_COMMAND_LOAD, FLEXONENAND_INTERRUPT_READ);
  for (uint32_t two = 0; two < SECTORS / 2; ++two)
    good = good && (*cell(FLEXONENAND_REG_ECC_STATUS1 + 2 * two) & FLEXONENAND_ECC_UNCORRECTABLE_MASK) == 0;
  return good;
}

static bool is_marked(uint32_t segment, uint32_t page) {
  load(segment, page);
  return __builtin_popcount(*cell(FLEXONENAND_AREA_DATA_SPARE + FLEXONENAND_SPARE_SLOT_BAD_MARKER)) <= MOST_OF_MARK;
}

/* The first segment of a die is its SLC area. A segment that was bad from the start is marked in its first two pages;
   an erase that lost power leaves noise there, which hardly looks like that in both. */
bool flash_is_bad(uint32_t segment) {
  return segment % per_die == 0 || (is_marked(segment, 0) && is_marked(segment, 1));
}

/* Words of the tag, one in the spare bytes of each sector: page, sequence, and both of them turned. */
static uint32_t word_at(uint32_t sector) {
  const uint32_t at = FLEXONENAND_AREA_DATA_SPARE + sector * SPARE + USER;
  return *cell(at) | (uint32_t)*cell(at + 2) << 16;
}

enum found flash_read(uint32_t segment, uint32_t slot, void* into, struct tag* tag) {
  if (!load(segment, lsb_page(slot))) return LOST;
  const uint32_t page = word_at(0), sequence = word_at(1), check = word_at(2);
  if ((page & sequence & check) == UINT32_MAX) return BLANK;
  if (check != ~(page ^ sequence)) return LOST;
  *tag = (struct tag){page, sequence};
  if (into != NULL) dma_move(cell(FLEXONENAND_AREA_DATA_RAM), into, FLEXONENAND_PAGE_BYTES);
  return DATA;
}

bool flash_program(uint32_t segment, uint32_t slot, const void* from, struct tag tag) {
  static uint8_t spare[FLEXONENAND_SPARE_BYTES];
  const uint32_t words[] = {tag.page, tag.sequence, ~(tag.page ^ tag.sequence)};
  memset(spare, 0xFF, sizeof spare);
  for (uint32_t sector = 0; sector < 3; ++sector)
    memcpy(spare + sector * SPARE + USER, &words[sector], sizeof words[0]);
  /* The buffer is the one of the die that is selected. */
  address(segment, lsb_page(slot));
  dma_move(from, cell(FLEXONENAND_AREA_DATA_RAM), FLEXONENAND_PAGE_BYTES);
  dma_move(spare, cell(FLEXONENAND_AREA_DATA_SPARE), sizeof spare);
  return command(FLEXONENAND_COMMAND_PROGRAM, FLEXONENAND_INTERRUPT_WRITE);
}

bool flash_erase(uint32_t segment) {
  address(segment, 0);
  return command(FLEXONENAND_COMMAND_ERASE, FLEXONENAND_INTERRUPT_ERASE);
}
