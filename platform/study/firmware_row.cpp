#include "platform/study/firmware_row.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace ftlab::platform {
namespace {

std::vector<const FirmwareRow*>& all() {
  static std::vector<const FirmwareRow*> list = built_in_firmwares();
  return list;
}

}  // namespace

std::span<const FirmwareRow* const> firmware_list() { return all(); }

std::string default_firmware() { return std::string(all().front()->name); }

std::string default_selection() { return std::string(all().front()->selection()); }

void add_firmware(const FirmwareRow& row) {
  if (std::ranges::find(all(), row.name, &FirmwareRow::name) != all().end()) {
    throw std::logic_error(fmt::format("two firmwares are named {}", row.name));
  }
  all().push_back(&row);
}

const FirmwareRow& firmware_of(const Study& study) {
  const auto found = std::ranges::find(all(), std::string_view(study.ftl.firmware), &FirmwareRow::name);
  if (found == all().end()) throw std::logic_error("no firmware named " + study.ftl.firmware);
  return **found;
}

const FirmwareRow& firmware_on_arrays() { return **std::ranges::find(all(), true, &FirmwareRow::default_on_arrays); }

}  // namespace ftlab::platform
