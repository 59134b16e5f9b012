// A child process, so that the main study can go on after its report.
#include "platform/cli/python.h"

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

bool has_python() { return !python().empty(); }

int run_python(const std::string& command, const std::vector<std::string>& arguments) {
  const std::string interpreter = python();
  if (interpreter.empty()) {
    throw InputError(fmt::format(
        "FTLAB_PYTHON is not set, so there is no Python for `{0}`; run `./ftlab {0}` in the source tree, which makes "
        "the environment, or set FTLAB_PYTHON to a Python that has the package ftlab",
        command));
  }
  std::vector<std::string> words = {interpreter, "-m", "ftlab", command};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::fflush(stdout);  // keep the order of our lines and the child's
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, interpreter.c_str(), nullptr, nullptr, argv.data(), environ);
  if (error != 0) {
    throw InputError(
        fmt::format("FTLAB_PYTHON={}: cannot be run: {}", interpreter, std::generic_category().message(error)));
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "waiting for Python");
  }
  constexpr int kSignalBase = 128;  // as shells do
  return WIFEXITED(status) ? WEXITSTATUS(status) : kSignalBase + WTERMSIG(status);
}

int draw_report(const std::filesystem::path& dir) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(dir, ignored)) {
    throw InputError(fmt::format("{}: no such folder; give the folder that `--out` named", dir.string()));
  }
  return run_python("report", {dir.string()});
}

}  // namespace ftlab::platform::cli
