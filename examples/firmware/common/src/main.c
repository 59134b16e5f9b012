/* Serves the host: takes a request, has it done, and says so. One at a time. */
#include "board.h"
#include "core.h"
#include "ftl.h"
#include "part.h"

static struct report report = {.version = 1};

void works_for(enum cause cause) { QUEUE->cause = cause; }

static void sleep_until_request(void) {
  core_disable_interrupts();
  while (QUEUE->waiting == 0) {
    core_sleep();
    core_enable_interrupts();
    core_disable_interrupts();
  }
  core_enable_interrupts();
}

static enum status serve(enum request_kind kind, uint64_t offset, uint32_t length, void* data) {
  switch (kind) {
    case READ:
      return ftl_read(offset, data, length);
    case WRITE:
      return ftl_write(offset, data, length);
    case TRIM:
      return ftl_trim(offset, length);
    case FLUSH:
      return OK; /* what was answered lies on the part */
    case FORMAT:
      return ftl_format();
    case MOUNT:
      return ftl_mount();
  }
  return BAD_CONFIG;
}

int main(void) {
  const struct offer offer = part_attach();
  report.capacity_bytes = offer.bytes;
  report.page_bytes = offer.page_bytes;
  if (report.capacity_bytes == 0) {
    report.status = BAD_CONFIG;
    report.reason = (uint32_t)(uintptr_t)offer.why_not;
  }
  QUEUE->report = (uint32_t)(uintptr_t)&report;
  for (;;) {
    sleep_until_request();
    const enum request_kind kind = QUEUE->kind;
    const uint32_t tag = QUEUE->tag, length = QUEUE->length;
    const uint64_t offset = (uint64_t)QUEUE->offset_high << 32 | QUEUE->offset_low;
    void* const data = (void*)(uintptr_t)QUEUE->data;
    mark(REQUEST_TAKEN);
    QUEUE->next = 1;
    const enum status status = serve(kind, offset, length, data);
    QUEUE->done_tag = tag;
    QUEUE->done = status;
    mark(REQUEST_DONE);
  }
}
