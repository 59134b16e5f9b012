// How long the host left the device alone, summed up until asked. Knows no windows and no policy.
// Invariant: time that passes inside a request never counts; a pause counts once, when the request after it arrives.
#pragma once

#include <cstdint>

namespace ftlab::flexfs {

class IdleMeter {
 public:
  void clear() { *this = {}; }

  /// The host says that it is idle; the first such moment after a request is the start of the pause.
  void idle_at(std::uint64_t now_ns) {
    if (!idle_) since_ns_ = now_ns;
    idle_ = true;
  }
  /// A request arrives: the pause, if there was one, has ended. Time up to `free_ns` of it does not count.
  void request_at(std::uint64_t now_ns, std::uint64_t free_ns) {
    if (idle_ && now_ns > since_ns_ + free_ns) sum_ns_ += now_ns - since_ns_ - free_ns;
    idle_ = false;
  }

  [[nodiscard]] bool idle() const { return idle_; }
  /// Start of the pause; only while idle().
  [[nodiscard]] std::uint64_t since_ns() const { return since_ns_; }
  /// Idle time since the last call.
  [[nodiscard]] std::uint64_t take() {
    const std::uint64_t sum = sum_ns_;
    sum_ns_ = 0;
    return sum;
  }

 private:
  std::uint64_t since_ns_ = 0;
  std::uint64_t sum_ns_ = 0;
  bool idle_ = false;
};

}  // namespace ftlab::flexfs
