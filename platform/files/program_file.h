// Where the program for a simulated core is. Knows file names; nothing of what is in it.
#pragma once

#include <filesystem>
#include <string_view>

namespace ftlab::platform {

/// The firmware's image for a core, "arm" or "riscv": the file that $FTLAB_IMAGE names, else what the tree has built.
/// Where $FTLAB_MAKE_IMAGE names a script, as ./ftlab has it, that one brings it up to date first. Throws InputError
/// when there is none; `where` is "FILE:LINE: KEY: ".
std::filesystem::path program_file(std::string_view core, std::string_view where);

}  // namespace ftlab::platform
