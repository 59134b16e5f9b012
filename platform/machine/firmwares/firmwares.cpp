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
  const char* not_on_arrays = nullptr;  ///< why it does not serve NAND arrays
};

std::vector<Entry>& firmwares() {
  constexpr const char* kTooFewSpareBytes =
      "does not serve NAND arrays, which keep 16 bytes beside a page where it needs 32";
  constexpr const char* kPairsUnknown = "does not serve NAND arrays, of which it is not told which pages share cells";
  static std::vector<Entry> all{{"fms", make_fms, kTooFewSpareBytes},
                                {"flexfs", make_flexfs, kPairsUnknown},
                                {"in_place", make_in_place},
                                {"page", make_page},
                                {"pagemap", make_pagemap, kTooFewSpareBytes}};
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
      return [&study, entry](const FirmwarePorts& ports) {
        if (ports.array != nullptr && entry.not_on_arrays != nullptr) {
          throw InputError(fmt::format("{}\"{}\" {}; use \"page\"", study.where_of("ftl.firmware"), entry.name,
                                       entry.not_on_arrays));
        }
        return entry.make(study, ports);
      };
    }
  }
  throw std::logic_error("no maker for firmware " + study.ftl.firmware);
}

}  // namespace ftlab::platform
