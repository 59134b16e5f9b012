#include "platform/files/program_file.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "common/input_error.h"

namespace ftlab::platform {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

// The System V ABI, ELF32.
constexpr std::streamsize kElfHeadBytes = 20;
constexpr unsigned char kElfMagic[] = {0x7F, 'E', 'L', 'F'};
constexpr unsigned char kElf32 = 1;
constexpr unsigned char kRelocatable = 1;

struct Core {
  unsigned machine;
  std::string_view name;
  std::string_view options;
};
constexpr Core kCores[] = {{40, "arm", "-mcpu=cortex-m4 -mthumb"}, {243, "riscv", "-march=rv32imc -mabi=ilp32"}};

/// What it has to say goes to standard error.
bool succeeds(const std::string& script, const std::string& core) {
  std::string shell = "sh";
  std::string file = script;
  std::string word = core;
  char* arguments[] = {shell.data(), file.data(), word.data(), nullptr};
  pid_t child = 0;
  int status = 0;
  if (::posix_spawnp(&child, "sh", nullptr, nullptr, arguments, environ) != 0) return false;
  return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

fs::path program_file(std::string_view core, std::string_view where) {
  std::error_code ignored;
  if (const std::string given = environment("FTLAB_IMAGE"); !given.empty()) {
    if (fs::is_regular_file(given, ignored)) return given;
    throw InputError(fmt::format("FTLAB_IMAGE={}: no such file; name the image of the firmware, or unset it", given));
  }
  const std::string maker = environment("FTLAB_MAKE_IMAGE");
  if (!maker.empty() && !succeeds(maker, std::string(core)))
    throw InputError(fmt::format("{}the firmware's image for \"{}\" could not be built; see above", where, core));
  const std::string preset = core == "arm" ? "firmware" : fmt::format("firmware-{}", core);
  const fs::path built = fs::path(FTLAB_SOURCE_DIR) / "build" / preset / "firmware/target/ftlab_image.elf";
  if (fs::is_regular_file(built, ignored)) return built;
  throw InputError(fmt::format(
      "{}there is no image of the firmware, {}; ./ftlab run builds it, and so does `cmake --preset {} && cmake "
      "--build --preset {}`; FTLAB_IMAGE may name another one",
      where, built.string(), preset, preset));
}

std::string_view core_of_program(const fs::path& file, std::string_view where) {
  const auto refuse = [&](std::string_view what) {
    throw InputError(fmt::format("{}{}: {}", where, file.string(), what));
  };
  std::error_code ignored;
  if (!fs::exists(file, ignored)) refuse("no such file; build the firmware first");
  std::ifstream in(file, std::ios::binary);
  std::array<unsigned char, kElfHeadBytes> head{};
  in.read(reinterpret_cast<char*>(head.data()), kElfHeadBytes);
  if (in.gcount() != kElfHeadBytes || !std::equal(std::begin(kElfMagic), std::end(kElfMagic), head.begin()))
    refuse("is no ELF program; name what the linker has written");
  const unsigned machine = head[18] | head[19] << 8U;
  const auto* const core = std::ranges::find(kCores, machine, &Core::machine);
  if (core == std::end(kCores))
    refuse(
        fmt::format("is a program for another machine (ELF machine {}); compile it with arm-none-eabi-gcc or "
                    "riscv64-unknown-elf-gcc",
                    machine));
  if (head[4] != kElf32)
    refuse("is a program of 64 bits, and the cores have 32; compile it with " + std::string(core->options));
  if (head[16] == kRelocatable) refuse("is not linked; name what the linker has written");
  return core->name;
}

}  // namespace ftlab::platform
