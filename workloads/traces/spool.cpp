#include "workloads/traces/spool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>

#include "common/input_error.h"

namespace ftlab::workloads {
namespace {

constexpr const char* kFull = "does not fit into the temporary folder (set TMPDIR to another)";

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw InputError(fmt::format("{}: {}: {}", path, what, std::strerror(errno)));
}

File open_source(const std::string& path) {
  if (path != kStandardInput) {
    File file(std::fopen(path.c_str(), "rb"));
    if (!file) fail(path, "cannot be opened");
    return file;
  }
  if (::isatty(STDIN_FILENO) != 0)
    throw InputError("-: standard input is a terminal; pipe a trace into it, or name a file");
  // A descriptor of its own: closing it leaves the process's standard input as it is.
  const int copy = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
  if (copy < 0) fail(path, "cannot be read");
  return File(::fdopen(copy, "rb"));
}

/// Beside other temporary files, as TMPDIR says.
File nameless_file(const std::string& path) {
  std::string name = (std::filesystem::temp_directory_path() / "ftlab-trace-XXXXXX").string();
  const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor < 0) fail(path, "cannot be kept in the temporary folder (set TMPDIR to another)");
  ::unlink(name.c_str());
  return File(::fdopen(descriptor, "w+b"));
}

File spooled(const std::string& path) {
  const File source = open_source(path);
  File kept = nameless_file(path);
  std::array<char, 65536> block;
  while (const std::size_t n = std::fread(block.data(), 1, block.size(), source.get()))
    if (std::fwrite(block.data(), 1, n, kept.get()) != n) fail(path, kFull);
  if (std::ferror(source.get()) != 0) fail(path, "cannot be read");
  if (std::fflush(kept.get()) != 0) fail(path, kFull);
  return kept;
}

}  // namespace

std::string rereadable(const std::string& given) {
  const std::string path = given == "/dev/stdin" ? kStandardInput : given;
  std::error_code ignored;
  const auto there = std::filesystem::status(path, ignored);
  const bool stream = path == kStandardInput || std::filesystem::is_fifo(there) ||
                      std::filesystem::is_character_file(there) || std::filesystem::is_socket(there);
  if (!stream) return path;
  static std::map<std::string, File> kept;
  File& file = kept[path];
  if (!file) file = spooled(path);
  return fmt::format("/proc/self/fd/{}", ::fileno(file.get()));
}

}  // namespace ftlab::workloads
