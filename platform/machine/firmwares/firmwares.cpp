// The firmware that a study names.
#include "platform/machine/firmwares/firmwares.h"

#include <fmt/format.h>

#include <stdexcept>
#include <vector>

#include "common/input_error.h"

namespace ftlab::platform {

namespace {

struct Entry {
  std::string_view name;  ///< ftl.firmware
  FirmwareMaker make;
  bool on_arrays = true;  ///< false: a NAND array has too few spare bytes for it, or no paired pages
};

std::vector<Entry>& firmwares() {
  static std::vector<Entry> all{{"fms", make_fms, false},
                                {"flexfs", make_flexfs, false},
                                {"in_place", make_in_place},
                                {"page", make_page},
                                {"pagemap", make_pagemap, false}};
  return all;
}

}  // namespace

void add_firmware(const FirmwareEntry& entry, FirmwareMaker make) {
  add_to_firmware_list(entry);
  firmwares().push_back({entry.name, make, true});
}

FirmwareFactory firmware_factory(const Study& study) {
  for (const Entry& entry : firmwares()) {
    if (entry.name == study.ftl.firmware) {
      return [&study, entry](const FirmwarePorts& ports) {
        if (ports.array != nullptr && !entry.on_arrays) {
          throw InputError(fmt::format("{}\"{}\" does not serve NAND arrays; use \"page\"",
                                       study.where_of("ftl.firmware"), entry.name));
        }
        return entry.make(study, ports);
      };
    }
  }
  throw std::logic_error("no maker for firmware " + study.ftl.firmware);
}

}  // namespace ftlab::platform
