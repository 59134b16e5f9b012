// The firmwares of the tree, and the one that a study names.
#include <fmt/format.h>

#include "common/input_error.h"
#include "platform/firmwares/firmware_instance.h"
#include "platform/firmwares/members.h"

namespace ftlab::platform {

std::vector<const FirmwareRow*> built_in_firmwares() {
  return {
#define FTLAB_MEMBER(name) &firmwares::name,
#include "platform/firmwares/members.inc"
#undef FTLAB_MEMBER
  };
}

std::unique_ptr<FirmwareInstance> make_firmware(const Study& study, const FirmwarePorts& ports) {
  const FirmwareRow& firmware = firmware_of(study);
  if (ports.array != nullptr && !firmware.not_on_arrays.empty()) {
    throw InputError(fmt::format("{}\"{}\" {}; use \"{}\"", study.where_of("ftl.firmware"), firmware.name,
                                 firmware.not_on_arrays, firmware_on_arrays().name));
  }
  return firmware.make(study, ports);
}

}  // namespace ftlab::platform
