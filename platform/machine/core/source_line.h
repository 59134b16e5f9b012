// Where in its source addresses of a program come from, by the addr2line of the compiler that made it. Knows no core.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "platform/machine/iss/elf_image.h"

namespace ftlab::platform {

/// "ftl.c:120"; empty: the program has no line information for it, or there is no addr2line.
std::string source_line(const std::string& file, iss::ElfMachine machine, std::uint32_t address);

struct SourcePlace {
  std::string file;  ///< as the compiler was given it, with its folder
  unsigned line = 0;
};

/// Of each address the line that it is of, then those of the calls that the compiler has put its function in place of,
/// outwards; none where the program has no line information, all without any where there is no addr2line.
std::vector<std::vector<SourcePlace>> source_places(const std::string& file, iss::ElfMachine machine,
                                                    std::span<const std::uint32_t> addresses);

/// The program that knows.
const char* addr2line_of(iss::ElfMachine machine);

}  // namespace ftlab::platform
