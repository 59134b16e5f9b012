/* Two 28F016SA components side by side make a pair: each command goes to both, one in each byte of a 16-bit cycle. */
#include "card.h"

#include "board.h"
#include "core.h"

#define BOTH(code) ((uint16_t)((code)*0x0101u))

enum {
  READ_ARRAY = 0xFF,
  CLEAR_STATUS = 0x50,
  READ_EXTENDED_STATUS = 0x71,
  PROGRAM_WORD = 0x40,
  LOAD_PAGE_BUFFER = 0xE0,
  WRITE_PAGE_BUFFER = 0x0C,
  ERASE = 0x20,
  CONFIRM = 0xD0,
  READY_LINE_MODE = 0x96,
  READY_LINE_IS_LEVEL = 0x01,

  STATUS_READY = 0x80,
  STATUS_ERRORS = 0x38, /* of erase, of program, no Vpp */
  BLOCK_STATUS = 4,     /* offsets in a segment, after READ_EXTENDED_STATUS */
  GLOBAL_STATUS = 8,
  BLOCK_FAILED = 0x20,
  QUEUE_FULL = 0x08,
  PAGE_BUFFER_AVAILABLE = 0x04,

  PAIR_BYTES = 4 * 1024 * 1024,
  PAGE_BUFFER_BYTES = 512,
  SHORT_BYTES = 32 /* word by word they are faster than by the page buffer */
};

/* Registers of the card in attribute memory, a byte each. */
enum { CONFIGURATION_OPTION = 0x4000, CARD_STATUS = 0x4100, WRITE_PROTECTION = 0x4104, VOLTAGE = 0x410C };

static volatile uint16_t* cell(uint32_t address) { return (volatile uint16_t*)(uintptr_t)(PART + address); }
static volatile uint8_t* attribute(uint32_t address) {
  return (volatile uint8_t*)(uintptr_t)(PART_ATTRIBUTE + address);
}

static void command(uint32_t address, unsigned code) { *cell(address) = BOTH(code); }

/* The card's bus is never spared: what is waited for takes microseconds. */
static uint16_t poll(uint32_t address, unsigned bit, bool set) {
  for (;;) {
    const uint16_t value = *cell(address);
    if ((value & BOTH(bit)) == (set ? BOTH(bit) : 0)) return value;
  }
}

/* Asleep: an erase takes most of a second, and the ready line ends the sleep. Interrupts that are disabled still wake
   the core, so that none is missed between the look and the sleep. */
static uint16_t sleep_until_ready(uint32_t address) {
  core_disable_interrupts();
  for (;;) {
    const uint16_t value = *cell(address);
    if ((value & BOTH(STATUS_READY)) == BOTH(STATUS_READY)) {
      core_enable_interrupts();
      return value;
    }
    core_sleep();
    core_enable_interrupts();
    core_disable_interrupts();
  }
}

/* What a command has left behind must not colour the next one. */
static void come_to_rest(uint32_t address) {
  command(address, READ_ARRAY);
  command(address, CLEAR_STATUS);
  command(address, READ_ARRAY);
}

/* The size stands in the first tuple of the card's description, in every second byte: 1 to 32 units of 512 << 2n bytes.
 */
static uint32_t described_bytes(void) {
  if (*attribute(0) != 0x01) return 0;
  uint32_t at = 2;
  const bool speed_follows = (*attribute(2 * at) & 0x07) == 0x07;
  if (speed_follows) ++at;
  const uint8_t size = *attribute(2 * (at + 1));
  return (512u << 2 * (size & 7)) * ((size >> 3) + 1u);
}

uint32_t card_attach(void) {
  const uint32_t bytes = described_bytes();
  if (bytes == 0 || bytes % PAIR_BYTES != 0 || bytes > MAX_SEGMENTS * SEGMENT_BYTES) return 0;
  *attribute(CONFIGURATION_OPTION) = 0;
  while ((*attribute(CARD_STATUS) & 1) == 0) {
  }
  *attribute(WRITE_PROTECTION) = 0;                /* locks of blocks do not count */
  if ((*attribute(VOLTAGE) & 0x02) == 0) return 0; /* no Vpp, and so no programs */
  for (uint32_t pair = 0; pair < bytes; pair += PAIR_BYTES) {
    come_to_rest(pair);
    command(pair, READY_LINE_MODE);
    command(pair, READY_LINE_IS_LEVEL);
    command(pair, READ_EXTENDED_STATUS);
    poll(pair + GLOBAL_STATUS, STATUS_READY, true);
    come_to_rest(pair);
  }
  return bytes / SEGMENT_BYTES;
}

void card_read(uint32_t address, void* into, uint32_t bytes) {
  uint8_t* to = into;
  for (uint32_t i = 0; i < bytes; i += 2) {
    const uint16_t value = *cell(address + i);
    to[i] = (uint8_t)value;
    to[i + 1] = (uint8_t)(value >> 8);
  }
}

static uint16_t little_endian(const uint8_t* from) { return (uint16_t)(from[0] | from[1] << 8); }

static bool program_words(uint32_t address, const uint8_t* from, uint32_t bytes) {
  for (uint32_t i = 0; i < bytes; i += 2) {
    command(address + i, PROGRAM_WORD);
    *cell(address + i) = little_endian(from + i);
    if ((poll(address + i, STATUS_READY, true) & BOTH(STATUS_ERRORS)) != 0) return false;
  }
  return true;
}

static bool program_buffer(uint32_t address, const uint8_t* from, uint32_t bytes) {
  const uint32_t base = address / SEGMENT_BYTES * SEGMENT_BYTES;
  const uint16_t count = BOTH(bytes / 2 - 1); /* of one component, less one; the half for an even address comes first */
  const bool low_first = (address & 2) == 0;
  command(base, READ_EXTENDED_STATUS);
  poll(base + GLOBAL_STATUS, PAGE_BUFFER_AVAILABLE, true);
  command(address, LOAD_PAGE_BUFFER);
  *cell(address) = low_first ? count : 0;
  *cell(address) = low_first ? 0 : count;
  for (uint32_t i = 0; i < bytes; i += 2) *cell(address + i) = little_endian(from + i);
  command(base, READ_EXTENDED_STATUS);
  poll(base + BLOCK_STATUS, QUEUE_FULL, false);
  command(address, WRITE_PAGE_BUFFER);
  *cell(address) = low_first ? count : 0;
  *cell(address) = low_first ? 0 : count;
  command(base, READ_EXTENDED_STATUS);
  return (poll(base + BLOCK_STATUS, STATUS_READY, true) & BOTH(BLOCK_FAILED)) == 0;
}

bool card_program(uint32_t address, const void* from, uint32_t bytes) {
  const uint8_t* data = from;
  bool done = true;
  while (done && bytes > 0) {
    const uint32_t line_left = PAGE_BUFFER_BYTES - address % PAGE_BUFFER_BYTES;
    const uint32_t run = bytes < line_left ? bytes : line_left;
    done = run <= SHORT_BYTES ? program_words(address, data, run) : program_buffer(address, data, run);
    address += run;
    data += run;
    bytes -= run;
  }
  come_to_rest((address - 2) / SEGMENT_BYTES * SEGMENT_BYTES);
  return done;
}

bool card_erase(uint32_t segment) {
  const uint32_t base = segment * SEGMENT_BYTES;
  command(base, ERASE);
  command(base, CONFIRM);
  const bool done = (sleep_until_ready(base) & BOTH(STATUS_ERRORS)) == 0;
  come_to_rest(base);
  return done;
}
