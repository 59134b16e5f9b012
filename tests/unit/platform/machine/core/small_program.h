// Programs of a few instructions as ELF files, for the board of a simulated core.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "firmware/target/board.h"
#include "platform/machine/core/program_memory.h"

namespace ftlab::platform {

constexpr std::uint32_t kStackLimit = target::kRam + 0x8000;
constexpr std::uint32_t kStackTop = kStackLimit + 0x200;
constexpr std::uint32_t kHandoverAt = target::kRam + 0x100;
/// Vectors of 16 exceptions and 16 interrupts.
constexpr std::uint32_t kCodeAt = 0x80;

namespace small {

using Bytes = std::vector<std::uint8_t>;

inline void put(Bytes& bytes, std::size_t at, const std::vector<std::uint32_t>& words, unsigned size = 4) {
  if (bytes.size() < at + size * words.size()) bytes.resize(at + size * words.size());
  for (std::size_t i = 0; i < words.size(); ++i)
    for (unsigned byte = 0; byte < size; ++byte)
      bytes[at + i * size + byte] = static_cast<std::uint8_t>(words[i] >> 8 * byte);
}

/// `image` lies at address 0; its function "main" begins at `entry`.
inline std::unique_ptr<ProgramMemory> program(iss::ElfMachine machine, const Bytes& image, std::uint32_t entry,
                                              std::size_t main_bytes, std::size_t handover_bytes) {
  constexpr std::uint32_t kSegment = 52;
  constexpr std::uint32_t kSections = 84;
  constexpr std::uint32_t kImage = 0x100;
  Bytes file{0x7f, 'E', 'L', 'F', 1, 1, 1};
  put(file, 16, {2, static_cast<std::uint32_t>(machine)}, 2);
  put(file, 20, {1, entry, kSegment, kSections, 0, 52 | 32U << 16, 1 | 40U << 16, 3});
  const auto size = static_cast<std::uint32_t>(image.size());
  put(file, kSegment, {1, kImage, 0, 0, size, size, 5, 4});
  file.resize(kImage);
  file.insert(file.end(), image.begin(), image.end());
  Bytes names{0};
  Bytes table(16);
  const auto add = [&](const std::string& name, std::uint32_t value, std::size_t bytes, unsigned type) {
    const std::size_t row = table.size();
    put(table, row, {static_cast<std::uint32_t>(names.size()), value, static_cast<std::uint32_t>(bytes)});
    put(table, row + 12, {0x10U | type, 1}, 2);
    names.insert(names.end(), name.begin(), name.end());
    names.push_back(0);
  };
  add("main", entry, main_bytes, 2);
  add("ftlab_handover", kHandoverAt, handover_bytes, 1);
  add("static_end", target::kRam + 0x200, 0, 0);
  add("stack_limit", kStackLimit, 0, 0);
  const auto table_at = static_cast<std::uint32_t>(file.size());
  const auto names_at = static_cast<std::uint32_t>(table_at + table.size());
  put(file, kSections + 40, {0, 2, 0, 0, table_at, static_cast<std::uint32_t>(table.size()), 2, 0, 4, 16});
  put(file, kSections + 80, {0, 3, 0, 0, names_at, static_cast<std::uint32_t>(names.size()), 0, 0, 1, 0});
  // The third section header ends where the image begins, or before.
  file.insert(file.end(), table.begin(), table.end());
  file.insert(file.end(), names.begin(), names.end());
  return std::make_unique<ProgramMemory>(iss::ElfImage::parse(file, "small.elf", machine), "small.elf");
}

}  // namespace small

/// Thumb: `code` begins at kCodeAt, which is the reset handler; every other exception and interrupt goes to the
/// halfword at kCodeAt + handler.
inline std::unique_ptr<ProgramMemory> small_program(const std::vector<std::uint16_t>& code, std::uint32_t handler = 0,
                                                    std::size_t handover_bytes = 8) {
  small::Bytes image;
  small::put(image, 0, {kStackTop, kCodeAt | 1U});
  for (std::uint32_t vector = 2; vector < kCodeAt / 4; ++vector)
    small::put(image, std::size_t{4} * vector, {(kCodeAt + handler) | 1U});
  small::put(image, kCodeAt, {code.begin(), code.end()}, 2);
  const std::size_t main_bytes = handler != 0 ? handler : 2 * code.size();
  return small::program(iss::ElfMachine::arm, image, kCodeAt | 1U, main_bytes, handover_bytes);
}

/// RISC-V: `code` begins at 0, where the core begins.
inline std::unique_ptr<ProgramMemory> small_riscv_program(const std::vector<std::uint32_t>& code) {
  small::Bytes image;
  small::put(image, 0, code);
  return small::program(iss::ElfMachine::riscv, image, 0, 4 * code.size(), 8);
}

}  // namespace ftlab::platform
