// Where in its source an address of a program comes from, by the addr2line of the compiler that made it. Knows no core.
#pragma once

#include <cstdint>
#include <string>

#include "platform/machine/iss/elf_image.h"

namespace ftlab::platform {

/// "ftl.c:120"; empty: the program has no line information for it, or there is no addr2line.
std::string source_line(const std::string& file, iss::ElfMachine machine, std::uint32_t address);

}  // namespace ftlab::platform
