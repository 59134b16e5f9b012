#include "platform/machine/profile/disassembly.h"

#include <charconv>
#include <sstream>
#include <string_view>

#include "platform/machine/core/tool_output.h"

namespace ftlab::platform {
namespace {

/// Up to the next tab, which is dropped.
std::string_view next_field(std::string_view& rest) {
  const std::size_t tab = rest.find('\t');
  const std::string_view field = rest.substr(0, tab);
  rest = tab == std::string_view::npos ? std::string_view{} : rest.substr(tab + 1);
  return field;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

}  // namespace

const char* objdump_of(iss::ElfMachine machine) {
  return machine == iss::ElfMachine::arm ? "arm-none-eabi-objdump" : "riscv64-unknown-elf-objdump";
}

std::map<std::uint32_t, Disassembled> disassembly_in(const std::string& printed) {
  std::map<std::uint32_t, Disassembled> found;
  std::istringstream in(printed);
  // "      48:\tf04f 4380 \tmov.w\tr3, #1"; other lines have no tab, or bytes that are no instructions.
  for (std::string line; std::getline(in, line);) {
    std::string_view rest = line;
    const std::string_view head = trimmed(next_field(rest));
    std::uint32_t address = 0;
    const auto [end, error] = std::from_chars(head.data(), head.data() + head.size(), address, 16);
    if (error != std::errc{} || end + 1 != head.data() + head.size() || *end != ':') continue;
    Disassembled one{std::string(trimmed(next_field(rest))), std::string(next_field(rest))};
    while (!rest.empty()) one.text += " " + std::string(next_field(rest));
    if (!one.text.empty()) found.emplace(address, std::move(one));
  }
  return found;
}

std::map<std::uint32_t, Disassembled> disassembly_of(const std::string& file, iss::ElfMachine machine) {
  return disassembly_in(printed_by({objdump_of(machine), "-d", "-C", file}));
}

}  // namespace ftlab::platform
