/* The board: what is where. What its registers do is in regs/ and in ftlab's docs/cores.md. */
#ifndef BOARD_H
#define BOARD_H

#include <stddef.h>
#include <stdint.h>

#include "regs/host_queue_regs.h"
#include "regs/study_values_regs.h"
#include "regs/trace_regs.h"
#include "regs/uart_regs.h"

/* The socket of the part, 16 bits wide: memory of a card, the window of a Flex-OneNAND, or registers of an array's
   controller; then a card's description and registers, or the controller's data RAM. */
#define PART 0x60000000u
#define PART_ATTRIBUTE 0x68000000u
#define PART_DATA PART_ATTRIBUTE

#define DMA 0x40002000u

/* Interrupts, all by a rising edge. */
enum { INTERRUPT_PART_READY = 0, INTERRUPT_QUEUE = 1, INTERRUPT_DMA = 2 };

enum request_kind { READ, WRITE, TRIM, FLUSH, FORMAT, MOUNT };

/* What a request is answered with. */
enum status { OK, OUT_OF_RANGE, NO_SPACE, NOT_FORMATTED, BAD_CONFIG, READ_FAILED, WRITE_FAILED, READ_ONLY };

/* What the firmware works for, for the books of the simulator; it is worth telling cleaning from the rest. */
enum cause { FOR_HOST, FOR_CLEANING, FOR_MIGRATION, FOR_WEAR_LEVELING, FOR_REFRESH, FOR_METADATA, FOR_MOUNT };

/* Requests of the host: the one that has waited for longest is shown from `kind` on. */
struct host_queue {
  uint32_t magic;   /* HOST_QUEUE_MAGIC */
  uint32_t waiting; /* 1: a request is shown */
  uint32_t next;    /* write: takes the request that is shown */
  uint32_t arrival; /* microseconds until the next request, if that is known */
  uint32_t cause;   /* an enum cause */
  uint32_t report;  /* write: address of a struct report; the firmware serves from then on */
  uint32_t exit;    /* write: address of a text; the run ends with it */
  uint32_t core_hz;
  uint32_t done_tag; /* write: of the request that is completed ... */
  uint32_t done;     /* ... by writing its status here */
  uint32_t reserved[6];
  uint32_t kind; /* an enum request_kind */
  uint32_t tag;
  uint32_t offset_low; /* bytes of the device */
  uint32_t offset_high;
  uint32_t length; /* bytes */
  uint32_t data;   /* address in the host's memory: of what to write, or for what is read */
};
_Static_assert(offsetof(struct host_queue, done) == HOST_QUEUE_REG_DONE &&
                   offsetof(struct host_queue, kind) == HOST_QUEUE_REG_KIND,
               "as the board has it");

#define QUEUE ((volatile struct host_queue*)0x40000000u)

/* Text for whoever runs the simulator, who sees it line by line. */
#define UART_DATA_REGISTER (*(volatile uint32_t*)(0x40001000u + UART_REG_DATA))
static inline void print(const char* text) {
  while (*text != 0) UART_DATA_REGISTER = (uint32_t)*text++;
}

/* Counters of one's own, and marks with the cycles between them: processor.counters, processor.marks and
   processor.mark_cycles of the result, by number. */
#define TRACE 0x40003000u
enum mark { REQUEST_TAKEN, REQUEST_DONE };
static inline void count(unsigned counter, uint32_t times) {
  *(volatile uint32_t*)(uintptr_t)(TRACE + TRACE_REG_COUNTER + 4 * counter) = times;
}
static inline void mark(unsigned number) { *(volatile uint32_t*)(TRACE + TRACE_REG_MARK) = number; }

/* What the study says under [firmware.values], or what holds without that: sizes in bytes, shares in millionths, times
   in microseconds. A board without a simulator has no such device; let this give `otherwise` there. */
#define STUDY_VALUES 0x40004000u
static inline uint32_t study_value(const char* name, uint32_t otherwise) {
  do *(volatile uint32_t*)(STUDY_VALUES + STUDY_VALUES_REG_NAME) = (unsigned char)*name;
  while (*name++ != 0);
  const uint32_t found = *(volatile uint32_t*)(STUDY_VALUES + STUDY_VALUES_REG_FOUND);
  return found != 0 ? *(volatile uint32_t*)(STUDY_VALUES + STUDY_VALUES_REG_VALUE) : otherwise;
}

/* What the firmware says of itself before it serves. */
struct report {
  uint32_t version; /* 1 */
  uint32_t status;  /* an enum status; anything but OK: it does not serve */
  uint32_t reason;  /* address of a text that says why it does not */
  uint32_t page_bytes;
  uint64_t capacity_bytes;
};

#endif
