#include "platform/study/firmware_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace ftlab::platform {
namespace {

constexpr std::string_view kSaidOfFms[] = {"ftl.selection", "ftl.redistribution"};
constexpr std::string_view kSaidOfInPlace[] = {"ftl.update"};
constexpr std::string_view kSaidOfPage[] = {"ftl.selection", "ftl.frontiers"};
constexpr std::string_view kSaidOfFlexFs[] = {"flexfs.scheme", "flexfs.wear_management"};

std::vector<FirmwareEntry>& all() {
  static std::vector<FirmwareEntry> list{
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
      {"in_place", "update in place with a system buffer: a segment is read, erased and written back for each change",
       [](const Study&) { return std::string("update in place with a system buffer"); }, kSaidOfInPlace},
      {"page", "page-mapped, many requests in flight, with the cleaning policies of Desnoyers' models",
       [](const Study& s) {
         return fmt::format("page-mapped layer, {} selection, {} write frontier{}", s.page.selection,
                            s.page.frontiers == PageConfig::Frontiers::one ? "one" : "host and cleaning",
                            s.page.frontiers == PageConfig::Frontiers::one ? "" : "s");
       },
       kSaidOfPage},
      {"pagemap",
       "a plain page-mapped layer, greedy, for NOR and NAND parts",
       [](const Study&) { return std::string("plain page-mapped layer"); },
       {}},
  };
  return list;
}

}  // namespace

std::span<const FirmwareEntry> firmware_list() { return all(); }

void add_to_firmware_list(const FirmwareEntry& entry) {
  if (std::ranges::find(all(), entry.name, &FirmwareEntry::name) != all().end()) {
    throw std::logic_error(fmt::format("two firmwares are named {}", entry.name));
  }
  all().push_back(entry);
}

const FirmwareEntry& firmware_of(const Study& study) {
  for (const FirmwareEntry& entry : all()) {
    if (entry.name == study.ftl.firmware) return entry;
  }
  throw std::logic_error("no firmware named " + study.ftl.firmware);
}

}  // namespace ftlab::platform
