// One line per number of the profile; each is a quantity with unit and source.
#include "platform/files/host_file.h"

#include <fmt/format.h>

#include <array>
#include <string>

namespace ftlab::platform {
namespace {

constexpr std::array<std::string_view, kWorkKinds> kWorkNames = {
    "request",       "page_write", "page_read",   "page_copy",   "segment_clean",  "segment_compare",
    "segment_score", "page_rate",  "header_scan", "driver_call", "buffer_program", "checksum_byte"};

constexpr std::string_view kKeys[] = {
    "name",       "title",        "ready_interrupt", "bus_read_cycle",   "bus_write_cycle", "attribute_cycle",
    "timer_tick", "program_poll", "erase_poll",      "interrupt_latency"};

constexpr double kHourNs = 3600e9;
constexpr double kLongestCycleNs = 100e9;  // a burst of tens of thousands is then shorter than what kClockEnd leaves

/// A bus cycle or timer that takes no time at all would make polling endless.
Ticks positive_time(const spec::TomlFile& file, std::string_view key, double longest_ns) {
  constexpr double kShortestNs = 0.1;
  return ticks_from_ns(file.get_in(key, "ns", kShortestNs, longest_ns));
}

Ticks time(const spec::TomlFile& file, std::string_view key) {
  return ticks_from_ns(file.get_in(key, "ns", 0, kHourNs));
}

}  // namespace

std::string_view name_of(Work kind) { return kWorkNames.at(static_cast<std::size_t>(kind)); }

ProcessorProfile load_processor_profile(const spec::TomlFile& file) {
  // What is not a key comes before what is missing, which it may be the misspelt name of.
  for (const std::string_view key : kKeys) (void)file.has(key);
  for (const std::string_view name : kWorkNames) (void)file.has(fmt::format("work.{}", name));
  file.finish();
  ProcessorProfile profile;
  profile.name = file.get_string("name");
  profile.title = file.get_string("title");
  profile.ready_interrupt = file.get_bool("ready_interrupt");
  profile.bus_read_cycle = positive_time(file, "bus_read_cycle", kLongestCycleNs);
  profile.bus_write_cycle = positive_time(file, "bus_write_cycle", kLongestCycleNs);
  profile.attribute_cycle = positive_time(file, "attribute_cycle", kLongestCycleNs);
  profile.timer_tick = positive_time(file, "timer_tick", kHourNs);
  profile.program_poll = positive_time(file, "program_poll", kHourNs);
  profile.erase_poll = positive_time(file, "erase_poll", kHourNs);
  profile.interrupt_latency = time(file, "interrupt_latency");
  for (std::size_t i = 0; i < kWorkKinds; ++i) {
    profile.work[i] = time(file, fmt::format("work.{}", kWorkNames[i]));
  }
  return profile;
}

}  // namespace ftlab::platform
