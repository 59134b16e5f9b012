// A child process, so that the main study can go on after its report.
#include "platform/cli/report.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <system_error>

#include "common/input_error.h"

namespace ftlab::platform::cli {
namespace {

std::string python() {
  const char* given = std::getenv("FTLAB_PYTHON");
  return given == nullptr ? std::string{} : given;
}

}  // namespace

bool report_available() { return !python().empty(); }

int draw_report(const std::filesystem::path& dir) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(dir, ignored)) {
    throw InputError(fmt::format("{}: no such folder; give the folder that `--out` named", dir.string()));
  }
  std::string interpreter = python();
  if (interpreter.empty()) {
    throw InputError(
        "FTLAB_PYTHON is not set, so there is no Python to draw with; run `./ftlab report DIR` in the source tree, "
        "which makes the environment, or set FTLAB_PYTHON to a Python that has ftlab_reports");
  }
  std::string words[] = {interpreter, "-m", "ftlab_reports", dir.string()};
  char* const arguments[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
  std::fflush(stdout);  // keep the order of our lines and the child's
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, interpreter.c_str(), nullptr, nullptr, arguments, environ);
  if (error != 0) {
    throw InputError(
        fmt::format("FTLAB_PYTHON={}: cannot be run: {}", interpreter, std::generic_category().message(error)));
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "waiting for the report");
  }
  constexpr int kSignalBase = 128;  // as shells do
  return WIFEXITED(status) ? WEXITSTATUS(status) : kSignalBase + WTERMSIG(status);
}

}  // namespace ftlab::platform::cli
