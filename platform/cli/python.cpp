#include "platform/cli/python.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "common/input_error.h"

namespace ftlab::platform::cli {
namespace {

std::string python() {
  const char* given = std::getenv("FTLAB_PYTHON");
  return given == nullptr ? std::string{} : given;
}

/// Words of the command line, and the same as exec wants them.
class CommandLine {
 public:
  CommandLine(const std::string& command, const std::vector<std::string>& arguments)
      // -P: what lies where the user stands is no module.
      : words_{python(), "-P", "-m", "ftlab", command} {
    if (words_.front().empty()) {
      throw InputError(fmt::format(
          "FTLAB_PYTHON is not set, so there is no Python for `{0}`; run `./ftlab {0}` in the source tree, which makes "
          "the environment, or set FTLAB_PYTHON to a Python that has the package ftlab",
          command));
    }
    words_.insert(words_.end(), arguments.begin(), arguments.end());
    argv_.reserve(words_.size() + 1);
    for (std::string& word : words_) argv_.push_back(word.data());
    argv_.push_back(nullptr);
    std::error_code ignored;
    const auto self = std::filesystem::read_symlink("/proc/self/exe", ignored);
    if (!ignored) ::setenv("FTLAB_PROGRAM", self.c_str(), 1);
    std::fflush(stdout);  // keep the order of our lines and Python's
  }
  char* const* argv() { return argv_.data(); }
  [[noreturn]] void refuse(int error) const {
    throw InputError(
        fmt::format("FTLAB_PYTHON={}: cannot be run: {}", words_.front(), std::generic_category().message(error)));
  }

 private:
  std::vector<std::string> words_;
  std::vector<char*> argv_;
};

}  // namespace

bool has_python() { return !python().empty(); }

void become_python(const std::string& command, const std::vector<std::string>& arguments) {
  CommandLine line(command, arguments);
  ::execvp(line.argv()[0], line.argv());
  line.refuse(errno);
}

void require_folder(const std::filesystem::path& dir) {
  std::error_code ignored;
  if (std::filesystem::is_directory(dir, ignored)) return;
  throw InputError(fmt::format("{}: no such folder; give the folder that `--out` named", dir.string()));
}

int draw_report(const std::filesystem::path& dir) {
  CommandLine line("report", {dir.string()});
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, line.argv()[0], nullptr, nullptr, line.argv(), environ);
  if (error != 0) line.refuse(error);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "waiting for Python");
  }
  constexpr int kSignalBase = 128;  // as shells do
  return WIFEXITED(status) ? WEXITSTATUS(status) : kSignalBase + WTERMSIG(status);
}

}  // namespace ftlab::platform::cli
