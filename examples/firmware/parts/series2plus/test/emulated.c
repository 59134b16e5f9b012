/* A card of arrays, whose programs only clear bits, below the slots of src/flash.c. */
#include "emulated.h"

#include <stdlib.h>
#include <string.h>

#include "card.h"

enum { SEGMENTS = 8 };

static uint8_t card[SEGMENTS * SEGMENT_BYTES];
unsigned emulated_erases;

/* It holds what its maker has left. */
uint32_t card_attach(void) {
  for (unsigned i = 0; i < sizeof card; ++i) card[i] = (uint8_t)rand();
  return SEGMENTS;
}

void card_read(uint32_t address, void* into, uint32_t bytes) {
  require(address % 2 == 0 && bytes % 2 == 0 && address + bytes <= sizeof card, "a read lies on the card");
  memcpy(into, card + address, bytes);
}

bool card_program(uint32_t address, const void* from, uint32_t bytes) {
  require(address % 2 == 0 && bytes % 2 == 0 && address + bytes <= sizeof card, "a program lies on the card");
  const uint8_t* data = from;
  for (uint32_t i = 0; i < bytes; i += 2) {
    if (i == bytes / 2) lose_power_if_due();
    require((card[address + i] & data[i]) == data[i] && (card[address + i + 1] & data[i + 1]) == data[i + 1],
            "a program sets no bits");
    card[address + i] = data[i];
    card[address + i + 1] = data[i + 1];
  }
  return true;
}

bool card_erase(uint32_t segment) {
  uint8_t* const base = card + segment * SEGMENT_BYTES;
  const uint32_t first = rand() % 2 ? SEGMENT_BYTES / 2 : 0;
  for (uint32_t i = 0; i < SEGMENT_BYTES / 2; ++i) base[first + i] = (uint8_t)(i * 37);
  lose_power_if_due();
  memset(base, 0xFF, SEGMENT_BYTES);
  ++emulated_erases;
  return true;
}
