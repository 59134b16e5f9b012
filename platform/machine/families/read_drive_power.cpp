#include "platform/machine/families/read_drive_power.h"

#include <cmath>
#include <string>

#include "common/input_error.h"

namespace ftlab::platform {

std::optional<DrivePower> read_drive_power(const spec::TomlFile& part) {
  bool any = false;
  const auto has = [&](const std::string& key, const char* unit) {
    const bool found = part.has_quantity(key, unit);
    any = any || found;
    return found;
  };
  const auto microwatts = [&](const char* name) -> std::int64_t {
    const std::string key = std::string("power.") + name;
    return has(key, "W") ? std::llround(1e6 * part.get_in(key, "W", 0, 1000)) : 0;
  };
  DrivePower power;
  power.ram = microwatts("ram");
  power.controller_idle = microwatts("controller_idle");
  power.controller_busy = microwatts("controller_busy");
  power.link_idle = microwatts("link_idle");
  const std::string per_byte = "power.link_per_byte";
  if (has(per_byte, "pJ")) power.link_byte_pj = part.get_in(per_byte, "pJ", 0, 1e6);
  if (power.link_byte_pj > 0 && part.keys("link").empty())
    throw InputError(part.where(per_byte) +
                     "is of a link, and this part has none; add the table [link], or leave it out");
  return any ? std::optional(power) : std::nullopt;
}

}  // namespace ftlab::platform
