#include "platform/machine/families/read_link.h"

#include "common/input_error.h"
#include "common/toml/whole_number.h"

namespace ftlab::platform {

std::optional<LinkTiming> read_link(const spec::TomlFile& part) {
  if (part.keys("link").empty()) return std::nullopt;
  const auto bytes = [&](const char* key, double least) {
    return spec::whole_number(part, std::string("link.") + key, "B", least, 65536);
  };
  const auto time = [&](const char* key) {
    constexpr Ticks kLongest = std::chrono::milliseconds{100};
    const std::string name = std::string("link.") + key;
    const Ticks found = part.get_time(name);
    if (found < Ticks::zero() || found > kLongest) throw InputError(part.where(name) + "must be from 0 to 100 ms");
    return found;
  };
  LinkTiming link;
  const double lanes = spec::whole_number(part, "link.lanes", "1", 1, 32);
  link.byte_ns = 1e9 / (lanes * part.get_in("link.lane_rate", "B/s", 1e6, 1e11));
  link.payload = bytes("payload", 1);
  link.overhead = bytes("overhead", 0);
  link.command = bytes("command_bytes", 0);
  link.completion = bytes("completion_bytes", 0);
  link.latency = time("latency");
  link.command_time = time("command_time");
  link.front_read = time("front_read");
  link.front_write = time("front_write");
  return link;
}

}  // namespace ftlab::platform
