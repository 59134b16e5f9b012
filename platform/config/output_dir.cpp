// Temporary file, fsync, rename: the POSIX way to an all-or-nothing file.
#include "platform/config/output_dir.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "common/input_error.h"

namespace ftlab::platform {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kBuffer = 1 << 16;

std::string reason(int error) {
  std::string text = fmt::format("cannot be written: {}", std::generic_category().message(error));
  if (error == ENOSPC || error == EDQUOT || error == EFBIG) return text + "; free some space or choose another place";
  return text + "; choose another place with --out";
}

fs::path normal(const fs::path& path) {
  fs::path plain = path.lexically_normal();
  return plain.has_filename() ? plain : plain.parent_path();  // "out/" -> "out"
}

}  // namespace

OutputFile::OutputFile(fs::path path) : path_(std::move(path)) {
  std::error_code ignored;
  if (fs::is_directory(path_, ignored)) {
    throw InputError(fmt::format("{}: is a directory; name a file", path_.string()));
  }
  temporary_ = path_;
  temporary_ += fmt::format(".{}.part", ::getpid());
  fd_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd_ < 0) throw InputError(fmt::format("{}: {}", path_.string(), reason(errno)));
  buffer_.reserve(kBuffer);
}

OutputFile::~OutputFile() {
  if (fd_ < 0) return;
  ::close(fd_);
  ::unlink(temporary_.c_str());
}

void OutputFile::fail(int error) {
  ::close(fd_);
  fd_ = -1;
  ::unlink(temporary_.c_str());
  throw InputError(fmt::format("{}: {}", path_.string(), reason(error)));
}

void OutputFile::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t n = ::write(fd_, rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(errno);
    rest.remove_prefix(static_cast<std::size_t>(n));
  }
  buffer_.clear();
}

void OutputFile::write(std::string_view bytes) {
  buffer_ += bytes;
  if (buffer_.size() >= kBuffer) flush();
}

void OutputFile::commit() {
  flush();
  // Some file systems report a full disk only here.
  if (::fsync(fd_) != 0 && errno != EINVAL && errno != EROFS) fail(errno);
  const int closed = ::close(fd_);
  fd_ = -1;
  if (closed != 0 || ::rename(temporary_.c_str(), path_.c_str()) != 0) {
    const int error = errno;
    ::unlink(temporary_.c_str());
    throw InputError(fmt::format("{}: {}", path_.string(), reason(error)));
  }
}

OutputDir::OutputDir(const fs::path& path) : path_(normal(path)) {
  if (path_.empty()) throw InputError("--out: must not be empty; name a folder for the results");
  std::error_code error;
  if (fs::exists(path_, error) && !fs::is_directory(path_, error)) {
    throw InputError(fmt::format("{}: is a file, not a folder; choose another place with --out", path_.string()));
  }
  for (fs::path at = path_; !at.empty() && !fs::exists(at, error) && !error; at = at.parent_path()) first_made_ = at;
  fs::create_directories(path_, error);
  if (error) throw InputError(fmt::format("{}: {}", path_.string(), reason(error.value())));
  if (::access(path_.c_str(), W_OK | X_OK) != 0) throw InputError(fmt::format("{}: {}", path_.string(), reason(errno)));
}

OutputDir::~OutputDir() {
  if (first_made_.empty()) return;
  // rmdir refuses folders that hold something, which is the wanted rule.
  for (fs::path at = path_; ::rmdir(at.c_str()) == 0 && at != first_made_;) at = at.parent_path();
}

void OutputDir::write(std::string_view name, std::string_view content) const {
  OutputFile file(path_ / name);
  file.write(content);
  file.commit();
}

}  // namespace ftlab::platform
