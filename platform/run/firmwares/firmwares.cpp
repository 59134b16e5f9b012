// The firmware that a study names.
#include "platform/run/firmwares/firmwares.h"

namespace ftlab::platform {

FirmwareFactory firmware_factory(const Study& study) {
  return [&study](const FirmwarePorts& ports) { return make_fms(study, ports); };
}

}  // namespace ftlab::platform
