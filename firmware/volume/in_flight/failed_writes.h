// Programs of the host that failed. What holds the newest content of its page is written again. What was overtaken, by
// a newer write of the page or by its trim, is not, or it would come back; its request is answered once everything that
// was under way by then has ended, or a power loss could leave a version older than both.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/volume/in_flight/workbench.h"

namespace ftlab::volume {

class FailedWrites {
 public:
  explicit FailedWrites(Workbench& bench) : bench_(bench) {}

  /// `pages`: in flight at most.
  void layout(Arena& arena, std::uint32_t pages);
  void clear() {
    waiting_count_ = overtaken_count_ = 0;
    left_any_ = false;
  }

  /// Its program has failed.
  void take(std::uint16_t tag);
  /// Of a read: its place was given up.
  [[nodiscard]] static bool is_given_up(const PageInFlight& read) { return read.ppn == kUnmapped; }
  /// So has the copy.
  void copy_failed(std::uint32_t source, std::uint32_t target);
  /// Some wait to be written again.
  [[nodiscard]] bool waiting() const { return waiting_count_ > 0; }
  /// One of this page.
  [[nodiscard]] bool waiting_of(std::uint32_t lpn) const;
  /// Some found no place. The next mount may show what was refused, or undo a trim that shows now.
  [[nodiscard]] bool left_any() const { return left_any_; }
  /// The page was just written or trimmed: what waits of it is older.
  void overtaken(std::uint32_t lpn);
  /// Of those that wait: the next to be placed again. It waits until then: an older write of its page may fail
  /// meanwhile, and more is added behind it.
  [[nodiscard]] std::uint16_t next() const { return waiting_[waiting_count_ - 1]; }
  /// Its program is queued.
  void placed(std::uint16_t tag);
  /// There is no place for it: its request is refused, and so are those of take_overtaken(), since it may have been
  /// what overtook them.
  void not_placed(std::uint16_t tag);
  [[nodiscard]] std::optional<std::uint16_t> take_overtaken();
  /// One that was overtaken, if everything that was under way then has ended: its request is answered.
  [[nodiscard]] std::optional<std::uint16_t> take_answered();

 private:
  void let_go(std::uint16_t tag);
  /// A program or copy there has failed: reads behind it find nothing, or, where the erase before it failed, too, what
  /// was there before, which may be an old version of the same page.
  void give_up_reads(std::uint32_t ppn);
  [[nodiscard]] bool trims(std::uint32_t lpn) const { return lpn >= bench_.host_pages; }
  /// It waits no more.
  void leave(std::uint16_t tag);
  /// What was written over that place, or copied from there, is over `before` now.
  void pass_on(std::uint32_t ppn, std::uint32_t before);

  Workbench& bench_;
  std::span<std::uint16_t> waiting_;
  std::uint32_t waiting_count_ = 0;
  std::span<std::uint16_t> overtaken_;  ///< their epoch is that in which they were
  std::uint32_t overtaken_count_ = 0;
  bool left_any_ = false;
};

}  // namespace ftlab::volume
