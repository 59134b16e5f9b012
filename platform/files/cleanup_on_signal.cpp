// A signal handler may touch little: atomics that need no lock, unlink and rmdir are allowed (POSIX, 2.4.3).
#include "platform/files/cleanup_on_signal.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <utility>

namespace ftlab::platform {
namespace {

struct Slot {
  std::atomic<const char*> path{nullptr};
  std::atomic<CleanupOnSignal::Kind> kind{};
  std::atomic<pid_t> owner{};
};
static_assert(std::atomic<const char*>::is_always_lock_free && std::atomic<pid_t>::is_always_lock_free);

// The one state of the program that a signal handler can reach.
std::array<Slot, 64> g_slots;

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

void prepare_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigemptyset(&action.sa_mask);
    ::sigaction(signal, &action, nullptr);
  }
  std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace ftlab::platform
