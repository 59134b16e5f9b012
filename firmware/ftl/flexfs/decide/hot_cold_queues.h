// Which files are hot: the two queues of the 2Q scheme (FlexFS paper, 4.1.3). A file enters the cold queue with its
// first write; an update of data it already has moves it to the hot queue. Both queues keep the order of use: the hot
// queue's last file falls back to the cold queue, the cold queue's last one is forgotten. Writing a new file page by
// page is one long first use: only updates count as coming back to it. Knows no pages. Invariants: a file is on at most
// one queue; no queue is longer than its limit; self_check().
#pragma once

#include <cstdint>
#include <span>

#include "firmware/base/arena.h"

namespace ftlab::flexfs {

class HotColdQueues {
 public:
  /// hot_limit, cold_limit: files, at least 1 each.
  void layout(Arena& arena, std::uint32_t hot_limit, std::uint32_t cold_limit);
  void clear();

  /// A write to the file; `update`: it replaces data. `now`: a clock of written pages, never backwards. A hot file that
  /// was not written for `forget_after` pages falls back (0 = never).
  void touch(std::uint32_t file, bool update, std::uint64_t now, std::uint64_t forget_after);
  [[nodiscard]] bool is_hot(std::uint32_t file) const;

  [[nodiscard]] std::uint32_t hot_files() const { return queues_[kHotQueue].length; }
  [[nodiscard]] std::uint32_t cold_files() const { return queues_[kColdQueue].length; }
  [[nodiscard]] const char* self_check() const;

 private:
  static constexpr std::uint32_t kEnd = 0xFFFFFFFF;
  static constexpr std::uint8_t kHotQueue = 0;
  static constexpr std::uint8_t kColdQueue = 1;

  struct Node {
    std::uint64_t used_at = 0;
    std::uint32_t file = 0;
    std::uint32_t newer = kEnd;
    std::uint32_t older = kEnd;
    std::uint32_t chain = kEnd;  ///< next node of the same hash, or of the spare nodes
    std::uint8_t queue = kColdQueue;
  };
  struct Queue {
    std::uint32_t newest = kEnd;
    std::uint32_t oldest = kEnd;
    std::uint32_t length = 0;
    std::uint32_t limit = 1;
  };

  [[nodiscard]] std::uint32_t bucket_of(std::uint32_t file) const;
  [[nodiscard]] std::uint32_t find(std::uint32_t file) const;
  std::uint32_t insert(std::uint32_t file);
  void forget(std::uint32_t node);
  void push(std::uint8_t queue, std::uint32_t node);
  void unlink(std::uint32_t node);
  void cool_down(std::uint64_t now, std::uint64_t forget_after);

  std::span<Node> nodes_;
  std::span<std::uint32_t> buckets_;
  Queue queues_[2];
  std::uint32_t spare_ = kEnd;
};

}  // namespace ftlab::flexfs
