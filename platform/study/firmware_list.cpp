#include "platform/study/firmware_list.h"

#include <fmt/format.h>

#include <stdexcept>

namespace ftlab::platform {
namespace {

constexpr std::string_view kSaidOfFms[] = {"ftl.selection", "ftl.redistribution"};
constexpr std::string_view kSaidOfFlexFs[] = {"flexfs.scheme", "flexfs.wear_management"};

constexpr FirmwareEntry kFirmwares[] = {
    {"fms", "the Flash Memory Server",
     [](const Study& s) {
       return fmt::format("Flash Memory Server, {} selection, {} redistribution", s.fms.selection,
                          s.fms.redistribution);
     },
     kSaidOfFms},
    {"flexfs", "SLC and MLC regions in one device (NAND parts with paired pages)",
     [](const Study& s) {
       return fmt::format("FlexFS, scheme {}{}", s.flexfs.scheme,
                          s.flexfs.wear_management ? " with wear management" : "");
     },
     kSaidOfFlexFs, true},
    {"pagemap",
     "a plain page-mapped layer, greedy, for NOR and NAND parts",
     [](const Study&) { return std::string("page-mapped layer"); },
     {}},
};

}  // namespace

std::span<const FirmwareEntry> firmware_list() { return kFirmwares; }

const FirmwareEntry& firmware_of(const Study& study) {
  for (const FirmwareEntry& entry : kFirmwares) {
    if (entry.name == study.ftl.firmware) return entry;
  }
  throw std::logic_error("no firmware named " + study.ftl.firmware);
}

}  // namespace ftlab::platform
