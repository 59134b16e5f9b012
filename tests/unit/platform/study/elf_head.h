// As much of an ELF file as a study looks at: class, kind, machine.
#pragma once

#include <fstream>
#include <string>

namespace ftlab::platform {

struct ElfHead {
  static constexpr unsigned char kArm = 40;
  static constexpr unsigned char kRiscv = 243;
  static constexpr char k32 = 1;
  static constexpr char k64 = 2;
  static constexpr char kExecutable = 2;
  static constexpr char kObject = 1;

  unsigned char machine = kArm;
  char bits = k32;
  char kind = kExecutable;

  void write(const std::string& file) const {
    std::ofstream out(file, std::ios::binary);
    const std::string head{'\x7f', 'E', 'L', 'F', bits, 1, 1};
    out << head << std::string(16 - head.size(), '\0') << kind << '\0' << static_cast<char>(machine) << '\0';
  }
};

}  // namespace ftlab::platform
