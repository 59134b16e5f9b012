#include "platform/files/program_file.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "common/input_error.h"

namespace ftlab::platform {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

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

}  // namespace ftlab::platform
