// Memory of the board with a program in it: flash, RAM, and the host's memory. Knows the board's addresses and the
// program's symbols; neither the core nor what the program does.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platform/machine/core/spoilt_memory.h"
#include "platform/machine/iss/elf_image.h"
#include "platform/machine/iss/memory.h"

namespace ftlab::platform {

class ProgramMemory {
 public:
  /// Throws InputError when the program does not fit the board; `name` is in front of the message.
  ProgramMemory(iss::ElfImage image, std::string name);

  /// As after power-on: RAM holds nothing one could rely on.
  void power_on() { ram_.spoil(); }
  /// What a core of the board may touch by itself. Where RAM has a stack with a lower end, what lies between that and
  /// the static data is left out, so that a stack that overflows meets nothing.
  [[nodiscard]] std::vector<iss::MemoryRegion> regions();

  /// Of RAM, flash and the host's memory; empty: not all of it lies there.
  [[nodiscard]] std::span<std::uint8_t> find(std::uint32_t address, std::size_t size);
  /// The same, for what the firmware names. Throws InputError for other addresses.
  [[nodiscard]] std::span<std::uint8_t> bytes(std::uint32_t address, std::size_t size);
  template <class T>
  [[nodiscard]] T value(std::uint32_t address) {
    T value;
    std::copy_n(bytes(address, sizeof value).data(), sizeof value, reinterpret_cast<std::uint8_t*>(&value));
    return value;
  }
  /// That ends with a zero; of flash.
  [[nodiscard]] std::string text(std::uint32_t address);

  /// Throws InputError when the program has none of this name, or of another size unless that is 0.
  [[nodiscard]] std::uint32_t address_of(std::string_view symbol, std::size_t size = 0) const;
  /// "name+0x12 (0x1234, ftl.c:120)", as far as the program says, or the address alone.
  [[nodiscard]] std::string place(std::uint32_t address) const;
  /// Whether it lies where the stack has no room any more.
  [[nodiscard]] bool is_below_stack(std::uint32_t address) const {
    return address >= static_end_ && address < stack_limit_;
  }
  /// The same, and it is nearer to the stack than to the static data.
  [[nodiscard]] bool is_right_below_stack(std::uint32_t address) const {
    return is_below_stack(address) && stack_limit_ - address <= address - static_end_;
  }
  [[nodiscard]] const iss::ElfImage& image() const { return image_; }
  /// As its source calls it, without arguments and without the namespaces that have no name.
  [[nodiscard]] static std::string name_of(const iss::ElfSymbol& symbol);
  /// The same with arguments and all namespaces.
  [[nodiscard]] static std::string whole_name_of(const iss::ElfSymbol& symbol);
  [[nodiscard]] const std::string& name() const { return name_; }
  /// What executes the program.
  [[nodiscard]] iss::ElfMachine machine() const { return image_.machine(); }

 private:
  iss::ElfImage image_;
  std::string name_;
  std::vector<std::uint8_t> flash_;
  SpoiltMemory ram_;
  std::unique_ptr<std::uint8_t, void (*)(void*)> host_;  ///< by calloc: pages that nobody uses are not made
  std::uint32_t static_end_;
  std::uint32_t stack_limit_;
};

}  // namespace ftlab::platform
