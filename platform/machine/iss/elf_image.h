// An ELF32 program of a little-endian processor: what to load where, and its symbols. Knows no core and no memory map.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ftlab::iss {

enum class ElfMachine : std::uint16_t { arm = 40, riscv = 243 };

/// To be loaded (PT_LOAD): `bytes`, and zeros behind them up to `memory_bytes`.
struct ElfSegment {
  std::uint32_t address = 0;       ///< where the program runs it (p_vaddr)
  std::uint32_t load_address = 0;  ///< where it lies before start-up code has moved it, e.g. in flash (p_paddr)
  std::uint32_t memory_bytes = 0;
  std::vector<std::uint8_t> bytes;
  bool writable = false;
  bool executable = false;
};

struct ElfSymbol {
  std::string name;
  std::uint32_t address = 0;  ///< a Thumb function's without its lowest bit
  std::uint32_t size = 0;     ///< 0: the linker knows none, as of labels in assembly text
  bool function = false;
  bool global = false;
};

class ElfImage {
 public:
  /// Both throw InputError with a sentence that begins with `name`; `machine` is the one that is wanted.
  static ElfImage read(const std::filesystem::path& file, ElfMachine machine);
  static ElfImage parse(const std::vector<std::uint8_t>& file, const std::string& name, ElfMachine machine);

  [[nodiscard]] ElfMachine machine() const { return machine_; }
  /// As the file has it: an ARM program's with its lowest bit set.
  [[nodiscard]] std::uint32_t entry() const { return entry_; }
  [[nodiscard]] const std::vector<ElfSegment>& segments() const { return segments_; }
  /// Functions, objects and labels by address.
  [[nodiscard]] const std::vector<ElfSymbol>& symbols() const { return symbols_; }
  /// A global one before a local one.
  [[nodiscard]] std::optional<ElfSymbol> symbol(std::string_view name) const;
  /// What lies at the address: a function or object that reaches over it, else the last label before it in its segment.
  [[nodiscard]] std::optional<ElfSymbol> symbol_at(std::uint32_t address) const;

 private:
  class Reader;

  ElfMachine machine_{};
  std::uint32_t entry_ = 0;
  std::vector<ElfSegment> segments_;
  std::vector<ElfSymbol> symbols_;
};

}  // namespace ftlab::iss
