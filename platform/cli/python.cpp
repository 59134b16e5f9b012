#include "platform/cli/python.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "common/input_error.h"

namespace ftlab::platform::cli {
namespace {

std::string python_for(const std::string& typed) {
  const char* given = std::getenv("FTLAB_PYTHON");
  if (given != nullptr && *given != '\0') return given;
  throw InputError(
      fmt::format("FTLAB_PYTHON is not set, so there is no Python for `{0}`; run `./{0}` in the source tree, which "
                  "makes the environment, or set FTLAB_PYTHON to a Python that has the package ftlab",
                  typed));
}

}  // namespace

void become_python(const std::string& command, const std::vector<std::string>& arguments, const std::string& typed) {
  // -P: what lies where the user stands is no module.
  std::vector<std::string> words{python_for(typed.empty() ? "ftlab " + command : typed), "-P", "-m", "ftlab", command};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::error_code ignored;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", ignored);
  if (!ignored) ::setenv("FTLAB_PROGRAM", self.c_str(), 1);
  std::fflush(stdout);  // keep the order of our lines and Python's
  ::execvp(argv.front(), argv.data());
  throw InputError(
      fmt::format("FTLAB_PYTHON={}: cannot be run: {}", words.front(), std::generic_category().message(errno)));
}

void require_folder(const std::filesystem::path& dir) {
  std::error_code ignored;
  if (std::filesystem::is_directory(dir, ignored)) return;
  throw InputError(fmt::format("{}: no such folder; give the folder that `--out` named", dir.string()));
}

}  // namespace ftlab::platform::cli
