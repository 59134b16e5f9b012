#include "platform/machine/core/source_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>
#include <string_view>

#include "platform/machine/core/tool_output.h"

namespace ftlab::platform {
namespace {

/// "/path/to/ftl.c:120 (discriminator 2)", or "??:0" and the like.
std::optional<SourcePlace> place_in(std::string_view line) {
  line = line.substr(0, line.find(" (discriminator"));
  const std::size_t colon = line.rfind(':');
  if (colon == std::string_view::npos || line.starts_with('?')) return {};
  SourcePlace place{std::string(line.substr(0, colon)), 0};
  std::from_chars(line.data() + colon + 1, line.data() + line.size(), place.line);
  return place.line == 0 ? std::nullopt : std::optional(place);
}

}  // namespace

const char* addr2line_of(iss::ElfMachine machine) {
  return machine == iss::ElfMachine::arm ? "arm-none-eabi-addr2line" : "riscv64-unknown-elf-addr2line";
}

std::vector<std::vector<SourcePlace>> source_places(const std::string& file, iss::ElfMachine machine,
                                                    std::span<const std::uint32_t> addresses) {
  std::string asked;
  for (const std::uint32_t address : addresses) asked += fmt::format("0x{:x}\n", address);
  std::istringstream printed(printed_by({addr2line_of(machine), "-a", "-i", "-e", file}, asked));
  std::vector<std::vector<SourcePlace>> found;
  // A line with each address, then its places.
  for (std::string line; std::getline(printed, line);) {
    if (line.starts_with("0x")) {
      found.emplace_back();
    } else if (auto place = place_in(line); place && !found.empty()) {
      found.back().push_back(*std::move(place));
    }
  }
  found.resize(addresses.size());
  return found;
}

std::string source_line(const std::string& file, iss::ElfMachine machine, std::uint32_t address) {
  const std::vector<SourcePlace> places = source_places(file, machine, std::span(&address, 1)).front();
  if (places.empty()) return {};
  // What an instruction of a header is for, who includes it says.
  const auto source =
      std::ranges::find_if(places, [](const SourcePlace& place) { return !place.file.ends_with(".h"); });
  const SourcePlace& best = source == places.end() ? places.front() : *source;
  return fmt::format("{}:{}", std::string_view(best.file).substr(best.file.rfind('/') + 1), best.line);
}

}  // namespace ftlab::platform
