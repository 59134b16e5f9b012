// A program's instructions as text, by the objdump of the compiler that made it. Knows no core.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "platform/machine/iss/elf_image.h"

namespace ftlab::platform {

struct Disassembled {
  std::string code;  ///< hexadecimal, as objdump groups it
  std::string text;  ///< mnemonic and operands
};

/// By address; empty where there is no objdump.
std::map<std::uint32_t, Disassembled> disassembly_of(const std::string& file, iss::ElfMachine machine);

/// The same of what objdump has printed.
std::map<std::uint32_t, Disassembled> disassembly_in(const std::string& printed);

/// The program that knows.
const char* objdump_of(iss::ElfMachine machine);

}  // namespace ftlab::platform
