// Completions until they are read: oldest end first, then in the order of their descriptors.
// Knows nothing of operations; times are given, and may be moved as long as they lie ahead.
#pragma once

#include <cstdint>
#include <vector>

#include "common/units.h"
#include "hw/regs/array_regs.h"

namespace ftlab::hw::array {

class Completions {
 public:
  void add(Ticks end, std::uint32_t sequence, const Completion& completion);
  /// That of this descriptor, if it leaves one, happens so much later.
  void delay(std::uint32_t sequence, Ticks by);
  void clear() { waiting_.clear(); }

  [[nodiscard]] bool readable(Ticks now) const { return !waiting_.empty() && waiting_.front().end <= now; }
  [[nodiscard]] std::uint32_t count_readable(Ticks now) const;
  /// The earliest unread one; kNever: there is none.
  [[nodiscard]] Ticks earliest() const { return waiting_.empty() ? kNever : waiting_.front().end; }
  /// Earliest time > now at which one more can be read.
  [[nodiscard]] Ticks next_after(Ticks now) const;
  /// Removes the oldest readable one; op none when there is none.
  Completion take(Ticks now);

 private:
  struct Entry {
    Ticks end{};
    std::uint64_t order = 0;
    std::uint32_t sequence = 0;
    Completion completion;
  };
  /// For a heap with the oldest on top.
  struct Later {
    bool operator()(const Entry& a, const Entry& b) const { return a.end != b.end ? a.end > b.end : a.order > b.order; }
  };

  std::vector<Entry> waiting_;
  std::uint64_t order_ = 0;
};

}  // namespace ftlab::hw::array
