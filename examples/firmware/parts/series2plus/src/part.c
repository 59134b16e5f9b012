#include "part.h"

#include "card.h"
#include "ftl.h"

struct offer part_attach(void) {
  return (struct offer){.bytes = ftl_start(card_attach()),
                        .page_bytes = PAGE_BYTES,
                        .why_not = "there is no Series 2+ card of 4 to 40 MB with Vpp in the socket"};
}
