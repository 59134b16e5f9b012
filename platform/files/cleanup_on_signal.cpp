// A signal handler may touch little: atomics that need no lock, unlink, rmdir and write are allowed (POSIX, 2.4.3).
#include "platform/files/cleanup_on_signal.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <string_view>
#include <utility>

namespace ftlab::platform {
namespace {

struct Slot {
  std::atomic<const char*> path{nullptr};
  std::atomic<CleanupOnSignal::Kind> kind{};
  std::atomic<pid_t> owner{};
};
/// Its own bytes: a signal may come when the program's objects are gone.
struct Written {
  std::array<char, 1024> path{};
  std::atomic<pid_t> owner{0};  ///< 0: no path
};
static_assert(std::atomic<const char*>::is_always_lock_free && std::atomic<pid_t>::is_always_lock_free);

constexpr std::array kEnding = {SIGINT, SIGTERM, SIGHUP};

// The one state of the program that a signal handler can reach.
std::array<Slot, 64> g_slots;
std::array<Written, 8> g_written;
std::atomic<const char*> g_last_words{nullptr};
std::atomic<bool> g_terminal{false};

/// One line that a signal handler may compose; what has no room is left out.
class Line {
 public:
  void add(std::string_view text) {
    for (const char c : text) {
      if (size_ + 1 < text_.size()) text_[size_++] = c;
    }
  }
  void print() {
    text_[size_++] = '\n';
    // There is nowhere to say that it failed.
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text_.data(), size_);
  }

 private:
  std::array<char, 4096> text_;
  std::size_t size_ = 0;
};

void say_what_is_left() {
  Line line;
  // A progress bar may stand there.
  if (g_terminal) line.add("\r\033[K");
  line.add("ftlab: interrupted");
  const pid_t self = ::getpid();
  const char* words = g_last_words.load();
  std::string_view between = "; written: ";
  for (const auto& written : g_written) {
    if (written.owner.load() != self) continue;
    line.add(between);
    line.add(written.path.data());
    between = ", ";
    words = nullptr;
  }
  if (words != nullptr) {
    line.add("; ");
    line.add(words);
  }
  line.print();
}

bool remove_one(const Slot& slot, CleanupOnSignal::Kind kind, pid_t self) {
  const char* path = slot.path.load();
  if (path == nullptr || slot.kind.load() != kind || slot.owner.load() != self) return false;
  return (kind == CleanupOnSignal::Kind::file ? ::unlink(path) : ::rmdir(path)) == 0;
}

void on_signal(int signal) {
  const pid_t self = ::getpid();
  for (const Slot& slot : g_slots) remove_one(slot, CleanupOnSignal::Kind::file, self);
  // A folder may hold another; each round removes at least the innermost.
  for (bool removed = true; removed;) {
    removed = false;
    for (const Slot& slot : g_slots) removed = remove_one(slot, CleanupOnSignal::Kind::folder, self) || removed;
  }
  say_what_is_left();
  // SA_RESETHAND restored the default; the caller sees how the program ended.
  ::raise(signal);
}

}  // namespace

CleanupOnSignal::CleanupOnSignal(std::string path, Kind kind) : path_(std::move(path)) {
  for (std::size_t i = 0; i < g_slots.size(); ++i) {
    if (g_slots[i].path.load() != nullptr) continue;
    g_slots[i].kind = kind;
    g_slots[i].owner = ::getpid();
    g_slots[i].path = path_.c_str();
    slot_ = static_cast<int>(i);
    return;
  }
}

CleanupOnSignal::~CleanupOnSignal() {
  if (slot_ >= 0) g_slots[static_cast<std::size_t>(slot_)].path = nullptr;
}

SignalsWait::SignalsWait() {
  sigset_t waiting;
  ::sigemptyset(&waiting);
  for (const int signal : kEnding) ::sigaddset(&waiting, signal);
  ::pthread_sigmask(SIG_BLOCK, &waiting, &before_);
}

SignalsWait::~SignalsWait() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

LastWords::LastWords(std::string words) : words_(std::move(words)), before_(g_last_words.exchange(words_.c_str())) {}

LastWords::~LastWords() { g_last_words = before_; }

void note_written(const std::string& path) {
  for (Written& written : g_written) {
    // A child may use the places that it inherited.
    const bool free = written.owner.load() != ::getpid();
    if (!free && path != written.path.data()) continue;
    written.owner = 0;
    written.path[path.copy(written.path.data(), written.path.size() - 1)] = '\0';
    written.owner = ::getpid();
    return;
  }
}

void prepare_signals() {
  g_terminal = ::isatty(STDERR_FILENO) == 1;
  for (const int signal : kEnding) {
    struct sigaction before {};
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigemptyset(&action.sa_mask);
    // One of them cleans up and speaks; the others would end the program meanwhile.
    for (const int other : kEnding) ::sigaddset(&action.sa_mask, other);
    ::sigaction(signal, &action, nullptr);
  }
  std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace ftlab::platform
