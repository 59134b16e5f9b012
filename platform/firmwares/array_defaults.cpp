#include "platform/firmwares/makers.h"

namespace ftlab::platform {

void set_array_defaults(Study& study, const Given& given) {
  // A drive's own processor, not a machine with a card in its slot.
  if (!given("host")) study.host = "ssd-controller";
  // Pages of the array, whose size only the part knows.
  if (!given("ftl.page_bytes")) study.ftl.page_bytes = 0;
  if (!given("workload.request_bytes")) study.generator.request_bytes = 0;
}

}  // namespace ftlab::platform
