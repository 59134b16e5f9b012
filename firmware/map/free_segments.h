// The free segments of each die, in the order in which they became free. Knows nothing of why a segment is free, nor
// whether it may be erased yet.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/base/prefetch.h"
#include "firmware/map/segment_lists.h"

namespace ftlab {

class FreeSegments {
 public:
  /// The same code measures and lays out.
  void layout(Arena& arena, std::uint32_t segments, std::uint32_t dies) {
    next_ = arena.take<std::uint32_t>(segments);
    lists_ = arena.take<List>(dies);
  }
  void clear() { std::ranges::fill(lists_, List{}); }

  [[nodiscard]] std::uint32_t count(std::uint32_t die) const { return lists_[die].count; }
  /// kNone: there is none.
  [[nodiscard]] std::uint32_t first(std::uint32_t die) const { return lists_[die].first; }
  /// kNone: it is the last.
  [[nodiscard]] std::uint32_t next(std::uint32_t segment) const { return next_[segment]; }
  void prefetch(std::uint32_t segment) const { prefetch_to_write(&next_[segment]); }

  /// Behind all others.
  void put(std::uint32_t die, std::uint32_t segment) {
    List& list = lists_[die];
    next_[segment] = kNone;
    (list.last == kNone ? list.first : next_[list.last]) = segment;
    list.last = segment;
    ++list.count;
  }
  /// Before the first of which `comes_later` says so, else behind all.
  template <class ComesLater>
  void put_before(std::uint32_t die, std::uint32_t segment, ComesLater&& comes_later) {
    List& list = lists_[die];
    std::uint32_t before = kNone;
    std::uint32_t behind = list.first;
    for (; behind != kNone && !comes_later(behind); behind = next_[behind]) before = behind;
    if (behind == kNone) return put(die, segment);
    next_[segment] = behind;
    (before == kNone ? list.first : next_[before]) = segment;
    ++list.count;
  }
  /// One of them.
  void take(std::uint32_t die, std::uint32_t segment) {
    List& list = lists_[die];
    std::uint32_t before = kNone;
    for (std::uint32_t id = list.first; id != segment; id = next_[id]) before = id;
    (before == kNone ? list.first : next_[before]) = next_[segment];
    if (list.last == segment) list.last = before;
    --list.count;
  }

 private:
  struct List {
    std::uint32_t first = kNone;
    std::uint32_t last = kNone;
    std::uint32_t count = 0;
  };

  std::span<std::uint32_t> next_;  ///< of each segment that is free
  std::span<List> lists_;          ///< of each die
};

}  // namespace ftlab
