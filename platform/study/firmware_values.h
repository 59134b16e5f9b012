// Values for a firmware of one's own, [firmware.values]: names of its choice, each with a whole number. Knows how
// people write them and what the program reads; neither the program nor what a name means.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "common/toml/toml_file.h"

namespace ftlab::platform {

struct FirmwareValue {
  std::string name;
  std::uint32_t number = 0;  ///< as the program reads it
  bool truth = false;        ///< it was given as true or false, which the program reads as 1 or 0
  std::string where;         ///< "FILE:LINE: firmware.values.NAME: ", for messages
};

inline constexpr std::size_t kLongestValueName = 63;  ///< characters; as many as the board takes

/// The table of a study that holds them.
inline constexpr std::string_view kFirmwareValues = "firmware.values";

/// All of the file. Throws InputError for a name that no program can ask for, and for what is no whole number of 32
/// bits: a size in bytes, a share in millionths, a time in microseconds.
std::vector<FirmwareValue> firmware_values(const spec::TomlFile& file);

/// Name by name as a study would give them, so that they come back as they are.
nlohmann::ordered_json values_json(const std::vector<FirmwareValue>& values);

}  // namespace ftlab::platform
