#include "part.h"

#include "ftl.h"

struct offer part_attach(void) {
  const struct geometry flash = flash_attach();
  return (struct offer){.bytes = flash.segments != 0 ? ftl_start(&flash) : 0,
                        .page_bytes = flash.page_bytes,
                        .why_not =
                            "no NAND array that keeps data (content = \"bytes\") and has a size that this firmware "
                            "knows is in the socket"};
}
