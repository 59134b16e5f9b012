// The firmwares that a study can name, in words. What each is made of is in platform/machine/firmwares.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "platform/study/study.h"

namespace ftlab::platform {

struct FirmwareEntry {
  std::string_view name;  ///< ftl.firmware
  std::string_view help;
  /// The firmware with its policies, for people.
  std::string (*title)(const Study& study);
  std::span<const std::string_view> said;  ///< keys that the title says
  bool scenarios_take_all = false;         ///< a scenario is offered all that the firmware can hold
};

/// Those of the tree, then those that were added.
std::span<const FirmwareEntry> firmware_list();
/// To be called before the first study is read. Throws std::logic_error for a name that is taken.
void add_to_firmware_list(const FirmwareEntry& entry);
/// Throws std::logic_error for a name that no study can have.
const FirmwareEntry& firmware_of(const Study& study);

}  // namespace ftlab::platform
