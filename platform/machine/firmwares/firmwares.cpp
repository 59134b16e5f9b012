// The firmware that a study names.
#include "platform/machine/firmwares/firmwares.h"

#include <stdexcept>

namespace ftlab::platform {

FirmwareFactory firmware_factory(const Study& study) {
  return [&study](const FirmwarePorts& ports) {
    switch (study.ftl.firmware) {
      case Firmware::fms:
        return make_fms(study, ports);
      case Firmware::flexfs:
        return make_flexfs(study, ports);
    }
    throw std::logic_error("firmware outside the enumeration");
  };
}

}  // namespace ftlab::platform
