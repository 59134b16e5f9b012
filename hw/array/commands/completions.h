// Completions until they are read: oldest end first, then in the order of their descriptors.
// Knows nothing of operations; times are given, and may be moved as long as they lie ahead.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "common/units.h"
#include "hw/array/commands/moved_work.h"
#include "hw/regs/array_regs.h"

namespace ftlab::hw::array {

/// Of descriptors, whose numbers wrap around.
[[nodiscard]] inline bool is_older(std::uint32_t a, std::uint32_t b) { return static_cast<std::int32_t>(a - b) < 0; }

/// From one up to another.
struct PageRange {
  std::uint32_t first = 0;
  std::uint32_t end = 0;
  [[nodiscard]] bool has(std::uint32_t page) const { return page - first < end - first; }
};

class Completions {
 public:
  /// A place for it, to be written over before the next call.
  Completion& add(Ticks end, std::uint32_t sequence) {
    if (unused_.empty()) add_slot();
    const std::uint32_t slot = unused_.back();
    unused_.pop_back();
    if (waiting_.size() == waiting_.capacity()) make_room();
    insert({end, sequence, slot});
    added_ = slot;
    return slots_[slot];
  }
  /// Of the last one that was added.
  [[nodiscard]] std::uint32_t added() const { return added_; }
  /// Those of these descriptors that end in those pages, behind `from`, happen so much later; the numbers ascend. What
  /// makes a program unit whole has one for each of its pages.
  void delay(std::span<const std::uint32_t> sequences, PageRange pages, Ticks from, Ticks by);
  /// Those of these works, which ascend, end when those do; `tell`: the slot of each, and how long it waits for its
  /// channel.
  template <class Tell>
  void move(std::span<const MovedWork> works, std::uint32_t pages_per_die, Tell tell) {
    std::size_t first = waiting_.size();
    Ticks from = kNever;
    for (const MovedWork& work : works) from = std::min(from, work.end_before);
    for (std::size_t i = waiting_.size(); i > first_ && waiting_[i - 1].end >= from; --i) {
      Entry& entry = waiting_[i - 1];
      const MovedWork* const work = find(works, entry, pages_per_die);
      if (work == nullptr) continue;
      entry.end = work->end;
      tell(entry.slot, work->waits);
      first = i - 1;
    }
    sort_from(first);
  }
  void clear();

  [[nodiscard]] bool empty() const { return first_ == waiting_.size(); }
  [[nodiscard]] bool readable(Ticks now) const { return !empty() && waiting_[first_].end <= now; }
  [[nodiscard]] std::uint32_t count_readable(Ticks now) const {
    // Mostly few, at the front.
    std::size_t ahead = first_;
    while (ahead != waiting_.size() && waiting_[ahead].end <= now) ++ahead;
    return static_cast<std::uint32_t>(ahead - first_);
  }
  /// When so many, from 1 on, can be read; kNever: there are not so many.
  [[nodiscard]] Ticks readable_from(std::uint32_t count) const {
    return count > waiting_.size() - first_ ? kNever : waiting_[first_ + count - 1].end;
  }
  /// Earliest time > now at which one more can be read.
  [[nodiscard]] Ticks next_after(Ticks now) const;
  /// Removes the oldest readable one, which stays in its place until the next add(); null when there is none.
  const Completion* take(Ticks now) {
    if (!readable(now)) return nullptr;
    taken_ = waiting_[first_];
    const std::uint32_t slot = taken_.slot;
    unused_.push_back(slot);
    if (++first_ == waiting_.size()) {
      waiting_.clear();
      first_ = 0;
    }
    return &slots_[slot];
  }
  // Of the last one that was taken.
  [[nodiscard]] std::uint32_t taken_slot() const { return taken_.slot; }
  [[nodiscard]] Ticks taken_end() const { return taken_.end; }

 private:
  struct Entry {
    Ticks end{};
    std::uint32_t sequence = 0;
    std::uint32_t slot = 0;
  };

  [[nodiscard]] static bool before(const Entry& a, const Entry& b) {
    return a.end != b.end ? a.end < b.end : is_older(a.sequence, b.sequence);
  }
  void insert(const Entry& entry) {
    if (empty() || waiting_.back().end <= entry.end) {
      // Field by field, see Controller::complete().
      Entry& last = waiting_.emplace_back();
      last.end = entry.end;
      last.sequence = entry.sequence;
      last.slot = entry.slot;
    } else {
      insert_between(entry);
    }
  }
  void insert_between(const Entry& entry);
  /// What it is the end of; null: none of them.
  [[nodiscard]] const MovedWork* find(std::span<const MovedWork> works, const Entry& entry,
                                      std::uint32_t pages_per_die) const;
  /// Those from there on have moved.
  void sort_from(std::size_t first);
  // Apart, so that the usual completion keeps little in registers across them.
  [[gnu::noinline, gnu::cold]] void add_slot();
  /// For one more that waits.
  [[gnu::noinline, gnu::cold]] void make_room();

  std::vector<Entry> waiting_;  ///< sorted from `first_` on; those before were read
  std::size_t first_ = 0;
  std::vector<Entry> delayed_;  ///< between two places, kept for its memory
  std::vector<Completion> slots_;
  std::vector<std::uint32_t> unused_;  ///< of the slots
  std::uint32_t added_ = 0;
  Entry taken_;
};

}  // namespace ftlab::hw::array
