// The firmware that a study names.
#include "platform/machine/firmwares/firmwares.h"

#include <stdexcept>

namespace ftlab::platform {

namespace {

struct Entry {
  std::string_view name;  ///< ftl.firmware
  std::unique_ptr<FirmwareInstance> (*make)(const Study& study, const FirmwarePorts& ports);
};

constexpr Entry kFirmwares[] = {{"fms", make_fms}, {"flexfs", make_flexfs}, {"pagemap", make_pagemap}};

}  // namespace

FirmwareFactory firmware_factory(const Study& study) {
  for (const Entry& entry : kFirmwares) {
    if (entry.name == study.ftl.firmware) {
      return [&study, &entry](const FirmwarePorts& ports) { return entry.make(study, ports); };
    }
  }
  throw std::logic_error("no maker for firmware " + study.ftl.firmware);
}

}  // namespace ftlab::platform
