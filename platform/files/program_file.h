// Where the program for a simulated core is. Knows file names, and of what is in it the header.
#pragma once

#include <filesystem>
#include <string_view>

namespace ftlab::platform {

/// The firmware's image for a core, "arm" or "riscv": the file that $FTLAB_IMAGE names, else what the tree has built.
/// Where $FTLAB_MAKE_IMAGE names a script, as ./ftlab has it, that one brings it up to date first. Throws InputError
/// when there is none; `where` is "FILE:LINE: KEY: ".
std::filesystem::path program_file(std::string_view core, std::string_view where);

/// The core that a linked program of 32 bits is for, "arm" or "riscv", by its header. Throws InputError for a file that
/// is no such program; `where` as above.
std::string_view core_of_program(const std::filesystem::path& file, std::string_view where);

}  // namespace ftlab::platform
