#include "platform/firmwares/write_buffer.h"

#include <algorithm>

#include "common/input_error.h"
#include "firmware/volume/volume_config.h"

namespace ftlab::platform {

void refuse_write_buffer(const Study& study, std::uint32_t pages) {
  if (pages == 0 || kind_of_part(study).array) return;
  throw InputError(study.where_of("ftl.write_buffer") +
                   "data RAM that holds answered writes is an array's; on this part a write is answered once it is "
                   "programmed: leave the key out");
}

std::uint64_t pages_of_program(const Study& study, const PartKind& part) {
  const std::uint64_t page = study.ftl.page_bytes != 0 ? study.ftl.page_bytes : part.page_bytes;
  return std::max<std::uint64_t>(
      1, std::uint64_t{part.page_bytes} * part.pages_at_once / std::max<std::uint64_t>(1, page));
}

std::uint32_t write_buffer_of_drive(const Study& study, const PartKind& part) {
  if (study.on_core()) return 0;
  const std::uint64_t wanted =
      std::min<std::uint64_t>(volume::kMaxWriteBuffer, 2 * part.dies * pages_of_program(study, part));
  return static_cast<std::uint32_t>(
      part.data_ram_pages == 0 ? wanted : std::min<std::uint64_t>(wanted, part.data_ram_pages / 2));
}

}  // namespace ftlab::platform
