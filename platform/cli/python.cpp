#include "platform/cli/python.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "common/input_error.h"
#include "platform/files/cleanup_on_signal.h"

namespace ftlab::platform::cli {
namespace {

constexpr const char* kTyped = "FTLAB_COMMAND";  // Python's hints use it, too

std::string environment(const char* name) {
  const char* given = std::getenv(name);
  return given == nullptr ? std::string{} : given;
}

/// The laboratory that belongs to this program: beside its data, or in the source tree. Empty: the interpreter's own.
std::filesystem::path package_folder() {
  std::error_code ignored;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  const std::filesystem::path data = environment("FTLAB_DATA_DIR");
  for (const std::filesystem::path& folder :
       {data.empty() ? data : data / "python/src", program.parent_path().parent_path() / "share/ftlab/python/src",
        std::filesystem::path(FTLAB_SOURCE_DIR) / "reports/src"}) {
    if (std::filesystem::is_directory(folder / "ftlab", ignored)) return folder.lexically_normal();
  }
  return {};
}

void prepend_to(const char* variable, const std::string& folder) {
  const std::string before = environment(variable);
  ::setenv(variable, before.empty() ? folder.c_str() : fmt::format("{}:{}", folder, before).c_str(), 1);
}

}  // namespace

void remember_typed(const char* program) { ::setenv(kTyped, program, 0); }

std::string typed_program() {
  const std::string typed = environment(kTyped);
  return typed.empty() ? "ftlab" : typed;
}

void become_python(const std::string& command, const std::vector<std::string>& arguments) {
  const std::string given = environment("FTLAB_PYTHON");
  const std::string python = given.empty() ? "python3" : given;
  // -P: what lies where the user stands is no module.
  std::vector<std::string> words{python, "-P", "-m", "ftlab", command};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::error_code ignored;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", ignored);
  if (!ignored) ::setenv("FTLAB_PROGRAM", self.c_str(), 1);
  if (const auto folder = package_folder(); !folder.empty()) prepend_to("PYTHONPATH", folder.string());
  std::fflush(stdout);                        // keep the order of our lines and Python's
  const SignalsWait until_python_heeds_them;  // ftlab/interrupts.py
  ::execvp(argv.front(), argv.data());
  const std::string why = std::generic_category().message(errno);
  if (!given.empty()) throw InputError(fmt::format("FTLAB_PYTHON={}: cannot be run: {}", given, why));
  throw InputError(fmt::format(
      "python3, which answers this command, cannot be run: {}; install Python 3.11 or later, or name one by "
      "FTLAB_PYTHON",
      why));
}

}  // namespace ftlab::platform::cli
