// Temporary file, fsync, rename: the POSIX way to an all-or-nothing file.
#include "platform/files/output_dir.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <system_error>

#include "common/input_error.h"

namespace ftlab::platform {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kBuffer = 1 << 16;

constexpr const char* kFolderAdvice = "choose another place with --out";

std::string reason(int error, const std::string& advice = kFolderAdvice) {
  std::string text = fmt::format("cannot be written: {}", std::generic_category().message(error));
  if (error == ENOSPC || error == EDQUOT || error == EFBIG) return text + "; free some space or choose another place";
  return text + "; " + advice;
}

/// Devices, pipes and sockets; also what a descriptor's name in /dev or /proc leads to, which others have open.
bool written_directly(const fs::path& path, const fs::file_status& there) {
  if (!fs::exists(there)) return false;
  if (!fs::is_regular_file(there)) return true;
  const std::string absolute = fs::absolute(path).lexically_normal().string();
  return absolute.starts_with("/dev/") || absolute.starts_with("/proc/");
}

fs::path normal(const fs::path& path) {
  fs::path plain = path.lexically_normal();
  return plain.has_filename() ? plain : plain.parent_path();  // "out/" -> "out"
}

constexpr std::string_view kPart = ".part";

/// Files of a folder that may be half-written, as of the first time that this process asked: a folder of many files is
/// listed once, whatever a run writes there.
const std::vector<fs::path>& half_written_in(const fs::path& folder) {
  static std::map<fs::path, std::vector<fs::path>> listed;
  const auto [found, first] = listed.try_emplace(folder);
  std::error_code error;
  if (!first) return found->second;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (entry->path().native().ends_with(kPart)) found->second.push_back(entry->path());
  }
  return found->second;
}

/// Removes what a process left of this file that was killed before it could: NAME.PID.part of a process that is gone,
/// on this machine and, where others see the file, on theirs, because a writer holds a lock.
void remove_abandoned(const fs::path& file) {
  const std::string begin = file.filename().string() + ".";
  for (const fs::path& entry : half_written_in(file.has_parent_path() ? file.parent_path() : fs::path("."))) {
    const std::string name = entry.filename().string();
    if (!name.starts_with(begin) || name.size() <= begin.size() + kPart.size()) continue;
    const std::string_view number(name.data() + begin.size(), name.size() - begin.size() - kPart.size());
    pid_t pid = 0;
    const auto [stop, failed] = std::from_chars(number.data(), number.data() + number.size(), pid);
    if (failed != std::errc{} || stop != number.data() + number.size() || pid <= 0) continue;
    if (::kill(pid, 0) == 0 || errno != ESRCH) continue;
    const int fd = ::open(entry.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) continue;
    struct stat status {};
    if (::fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && ::flock(fd, LOCK_EX | LOCK_NB) == 0) {
      ::unlink(entry.c_str());
    }
    ::close(fd);
  }
}

/// A new file that remove_abandoned() of others leaves; where a file system knows no locks, they remove nothing. -1
/// with errno: it cannot be made.
int open_locked(const fs::path& path) {
  constexpr int kTries = 16;
  int fd = -1;
  for (int i = 0; i < kTries; ++i) {
    // Exclusive: what is removed later was made here.
    fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    struct stat status {};
    // Another machine may have found it before its lock, and waits for none: then the name is gone.
    if (fd < 0 || ::flock(fd, LOCK_EX) != 0 || ::fstat(fd, &status) != 0 || status.st_nlink > 0) break;
    ::close(fd);
  }
  return fd;
}

}  // namespace

OutputFile::OutputFile(fs::path path, std::string advice) : path_(std::move(path)), advice_(std::move(advice)) {
  if (path_.empty()) throw InputError("the name of a file to write must not be empty; name a file");
  std::error_code ignored;
  const fs::file_status there = fs::status(path_, ignored);
  if (fs::is_directory(there)) throw InputError(fmt::format("{}: is a directory; name a file", path_.string()));
  if (written_directly(path_, there)) {
    fd_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    final_ = fs::is_symlink(path_, ignored) ? fs::weakly_canonical(path_, ignored) : path_;
    temporary_ = final_;
    temporary_ += fmt::format(".{}.part", ::getpid());
    remove_abandoned(final_);
    const SignalsWait until_it_is_known;
    fd_ = open_locked(temporary_);
    if (fd_ >= 0) cleanup_.emplace(temporary_.string(), CleanupOnSignal::Kind::file);
  }
  if (fd_ < 0) throw InputError(fmt::format("{}: {}", path_.string(), reason(errno, advice_)));
  buffer_.reserve(kBuffer);
}

OutputFile::~OutputFile() { discard(); }

void OutputFile::discard() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
  if (cleanup_) ::unlink(temporary_.c_str());
  cleanup_.reset();
}

void OutputFile::fail(int error) {
  discard();
  throw InputError(fmt::format("{}: {}", path_.string(), reason(error, advice_)));
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
  if (closed != 0) fail(errno);
  if (temporary_.empty()) return;
  const SignalsWait until_it_is_known;
  if (::rename(temporary_.c_str(), final_.c_str()) != 0) fail(errno);
  cleanup_.reset();
  note_written(path_.string());
}

OutputDir::OutputDir(const fs::path& path) : path_(normal(path)) {
  if (path_.empty()) throw InputError("--out: must not be empty; name a folder for the results");
  std::error_code error;
  if (fs::exists(path_, error) && !fs::is_directory(path_, error)) {
    throw InputError(fmt::format("{}: is a file, not a folder; choose another place with --out", path_.string()));
  }
  for (fs::path at = path_; !at.empty() && !fs::exists(at, error) && !error; at = at.parent_path()) {
    first_made_ = at;
    folder_cleanups_.push_back(std::make_unique<CleanupOnSignal>(at.string(), CleanupOnSignal::Kind::folder));
  }
  fs::create_directories(path_, error);
  if (error) throw InputError(fmt::format("{}: {}", path_.string(), reason(error.value())));
  if (::access(path_.c_str(), W_OK | X_OK) != 0) throw InputError(fmt::format("{}: {}", path_.string(), reason(errno)));
}

bool OutputDir::claim() {
  if (claim_ >= 0) return true;
  claim_ = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // Where a file system knows no locks nothing is known of others.
  if (claim_ < 0 || ::flock(claim_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return true;
  ::close(claim_);
  claim_ = -1;
  return false;
}

void OutputDir::hand_over_exec() const {
  // The lock ends with its last descriptor, which exec would close.
  if (claim_ >= 0) ::fcntl(claim_, F_SETFD, 0);
  ::setenv("FTLAB_MADE_FOLDERS", fmt::format("{} {}", folder_cleanups_.size(), path_.string()).c_str(), 1);
}

OutputDir::~OutputDir() {
  if (claim_ >= 0) ::close(claim_);
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
