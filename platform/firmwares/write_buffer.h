// ftl.write_buffer of the layers that have it: where it works, and how large it is on a whole drive.
#pragma once

#include <cstdint>

#include "platform/study/firmware_row.h"

namespace ftlab::platform {

/// Throws InputError where the study has one of so many pages on a part that is no array.
void refuse_write_buffer(const Study& study, std::uint32_t pages);

/// Two programs of each die, as far as half of the data RAM holds them; none on a simulated core, whose memory it would
/// take. What NVMeVirt has for the Samsung 970 Pro.
[[nodiscard]] std::uint32_t write_buffer_of_drive(const Study& study, const PartKind& part);

/// The same in the configuration of a layer, unless the study gives it.
template <class Config>
void set_write_buffer_of_drive(Study& study, const PartKind& part, const Given& given) {
  if (!given("ftl.write_buffer")) study.configs.edit<Config>().write_buffer = write_buffer_of_drive(study, part);
}

/// Pages of the layer that a program of the part takes.
[[nodiscard]] std::uint64_t pages_of_program(const Study& study, const PartKind& part);

}  // namespace ftlab::platform
