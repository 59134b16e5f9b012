// The firmware that a study names.
#include "platform/machine/firmwares/firmwares.h"

#include <stdexcept>
#include <vector>

namespace ftlab::platform {

namespace {

struct Entry {
  std::string_view name;  ///< ftl.firmware
  FirmwareMaker make;
};

std::vector<Entry>& firmwares() {
  static std::vector<Entry> all{
      {"fms", make_fms}, {"flexfs", make_flexfs}, {"page", make_page}, {"pagemap", make_pagemap}};
  return all;
}

}  // namespace

void add_firmware(const FirmwareEntry& entry, FirmwareMaker make) {
  add_to_firmware_list(entry);
  firmwares().push_back({entry.name, make});
}

FirmwareFactory firmware_factory(const Study& study) {
  for (const Entry& entry : firmwares()) {
    if (entry.name == study.ftl.firmware) {
      return [&study, make = entry.make](const FirmwarePorts& ports) { return make(study, ports); };
    }
  }
  throw std::logic_error("no maker for firmware " + study.ftl.firmware);
}

}  // namespace ftlab::platform
