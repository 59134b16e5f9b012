#include "platform/machine/core/program_memory.h"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include "common/input_error.h"
#include "firmware/target/board.h"
#include "platform/machine/core/source_line.h"

namespace ftlab::platform {
namespace {

std::string hex(std::uint32_t value) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "0x%x", value);
  return text.data();
}

bool in_flash(std::uint32_t address, std::uint64_t size) {
  return address >= target::kFlash && address + size <= std::uint64_t{target::kFlash} + target::kFlashBytes;
}

bool in_ram(std::uint32_t address, std::uint64_t size) {
  return address >= target::kRam && address + size <= std::uint64_t{target::kRam} + target::kRamBytes;
}

std::string memory_of_board() {
  constexpr std::uint32_t kKiB = 1024;
  return "the board has " + std::to_string(target::kFlashBytes / kKiB) + " KiB of flash at " + hex(target::kFlash) +
         " and " + std::to_string(target::kRamBytes / kKiB / kKiB) + " MiB of RAM at " + hex(target::kRam) +
         " (docs/cores.md)";
}

}  // namespace

ProgramMemory::ProgramMemory(iss::ElfImage image, std::string name)
    : image_(std::move(image)),
      name_(std::move(name)),
      flash_(target::kFlashBytes, 0xFF),
      ram_(target::kRamBytes),
      host_(static_cast<std::uint8_t*>(std::calloc(target::kHostMemoryBytes, 1)), &std::free),
      static_end_(target::kRam + target::kRamBytes),
      stack_limit_(static_end_) {
  for (const iss::ElfSegment& segment : image_.segments()) {
    if (!in_flash(segment.address, segment.memory_bytes) && !in_ram(segment.address, segment.memory_bytes))
      throw InputError(name_ + ": is linked for memory at " + hex(segment.address) + ", " +
                       std::to_string(segment.memory_bytes) + " bytes; " + memory_of_board());
    if (segment.bytes.empty()) continue;
    if (!in_flash(segment.load_address, segment.bytes.size()))
      throw InputError(name_ + ": has bytes to be loaded at " + hex(segment.load_address) +
                       "; only flash keeps them: " + memory_of_board());
    std::ranges::copy(segment.bytes, flash_.begin() + (segment.load_address - target::kFlash));
  }
  const auto limit = image_.symbol("stack_limit");
  const auto end = image_.symbol("static_end");
  if (limit && end && end->address < limit->address && limit->address - target::kRam < target::kRamBytes &&
      end->address - target::kRam < target::kRamBytes) {
    static_end_ = (end->address + 3) & ~3U;
    stack_limit_ = limit->address & ~3U;
  }
}

std::vector<iss::MemoryRegion> ProgramMemory::regions() {
  std::vector<iss::MemoryRegion> regions;
  regions.push_back({target::kFlash, target::kFlashBytes, flash_.data(), false, true});
  const std::uint32_t end = target::kRam + target::kRamBytes;
  regions.push_back({target::kRam, static_end_ - target::kRam, ram_.data(), true, false});
  if (stack_limit_ < end)
    regions.push_back({stack_limit_, end - stack_limit_, ram_.data() + (stack_limit_ - target::kRam), true, false});
  regions.push_back({target::kHostMemory, target::kHostMemoryBytes, host_.get(), true, false});
  return regions;
}

std::span<std::uint8_t> ProgramMemory::find(std::uint32_t address, std::size_t size) {
  const auto within = [&](std::uint32_t base, std::uint64_t length) {
    return address >= base && std::uint64_t{address} - base + size <= length;
  };
  if (within(target::kRam, ram_.size())) return {ram_.data() + (address - target::kRam), size};
  if (within(target::kHostMemory, target::kHostMemoryBytes))
    return {host_.get() + (address - target::kHostMemory), size};
  if (within(target::kFlash, flash_.size())) return std::span(flash_).subspan(address - target::kFlash, size);
  return {};
}

std::span<std::uint8_t> ProgramMemory::bytes(std::uint32_t address, std::size_t size) {
  const std::span<std::uint8_t> found = find(address, size);
  if (found.size() == size) return found;
  throw InputError(name_ + ": the firmware names the address " + hex(address) + ", where no memory is");
}

std::string ProgramMemory::text(std::uint32_t address) {
  constexpr std::size_t kLongest = 1000;
  std::string text;
  while (text.size() < kLongest) {
    const std::uint8_t byte = bytes(address++, 1)[0];
    if (byte == 0) break;
    text += static_cast<char>(byte);
  }
  return text;
}

std::uint32_t ProgramMemory::address_of(std::string_view symbol, std::size_t size) const {
  const auto found = image_.symbol(symbol);
  if (found && (size == 0 || found->size == size)) return found->address;
  const std::string what =
      found ? "is of another size in it: " + std::to_string(found->size) + " bytes, not " + std::to_string(size)
            : "is not in it";
  throw InputError(name_ + ": " + std::string(symbol) + " " + what + "; build the image anew, of the same sources");
}

std::string ProgramMemory::whole_name_of(const iss::ElfSymbol& symbol) {
  int status = 0;
  char* const plain = abi::__cxa_demangle(symbol.name.c_str(), nullptr, nullptr, &status);
  std::string text = status == 0 ? plain : symbol.name;
  std::free(plain);
  return text;
}

std::string ProgramMemory::name_of(const iss::ElfSymbol& symbol) {
  std::string text = whole_name_of(symbol);
  constexpr std::string_view kNameless = "(anonymous namespace)::";
  for (std::size_t at = text.find(kNameless); at != std::string::npos; at = text.find(kNameless))
    text.erase(at, kNameless.size());
  return text.substr(0, text.find('('));
}

std::string ProgramMemory::place(std::uint32_t address) const {
  const auto symbol = image_.symbol_at(address);
  if (!symbol) return hex(address);
  const std::uint32_t offset = address - symbol->address;
  const std::string line = symbol->function ? source_line(name_, machine(), address) : "";
  return name_of(*symbol) + (offset == 0 ? "" : "+" + hex(offset)) + " (" + hex(address) +
         (line.empty() ? "" : ", " + line) + ")";
}

}  // namespace ftlab::platform
