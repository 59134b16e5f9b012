#include "part.h"

#include "ftl.h"

struct offer part_attach(void) {
  const struct geometry flash = flash_attach();
  if (flash.segments == 0) return (struct offer){.why_not = "there is no Flex-OneNAND in the socket"};
  return (struct offer){.bytes = ftl_start(&flash, study_value("spare", MILLIONTHS / 5)),
                        .page_bytes = flash.page_bytes,
                        .why_not = FTL_NOTHING_LEFT};
}
