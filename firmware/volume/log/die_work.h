// How much each die still has to program, and which die takes the host's next page. A die that cleans has a victim's
// copies before it, which take a hundred times as long as the page: what is sent there waits, and with it a request
// that would keep another die at work. Knows no page and no segment.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "firmware/base/arena.h"

namespace ftlab::volume {

class DieWork {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  /// The same code measures and lays out.
  void layout(Arena& arena, std::uint32_t dies) {
    pages_ = arena.take<std::uint32_t>(dies);
    refused_ = arena.take<std::uint32_t>(dies);
  }
  void clear() {
    std::ranges::fill(pages_, 0);
    std::ranges::fill(refused_, 0);
    all_ = 0;
    round_ = 0;
  }

  void begin(std::uint32_t die, std::uint32_t pages) {
    pages_[die] += pages;
    all_ += pages;
  }
  void end(std::uint32_t die, std::uint32_t pages) {
    pages_[die] -= pages;
    all_ -= pages;
  }
  [[nodiscard]] std::uint64_t all() const { return all_; }
  /// Something will be reported.
  [[nodiscard]] bool any() const { return all_ > 0; }

  /// The next page is looked for a die.
  void begin_round() { ++round_; }
  void refuse(std::uint32_t die) { refused_[die] = round_; }
  /// With the fewest pages, the first behind `last` of several, among those that have not refused in this round and
  /// that accept; kNone: there is none.
  template <class Accepts>
  [[nodiscard]] std::uint32_t least_behind(std::uint32_t last, Accepts&& accepts) const {
    const auto dies = static_cast<std::uint32_t>(pages_.size());
    std::uint32_t least = kNone;
    std::uint32_t die = last;
    for (std::uint32_t left = dies; left > 0; --left) {
      die = die + 1 == dies ? 0 : die + 1;
      if (refused_[die] == round_ || (least != kNone && pages_[die] >= pages_[least]) || !accepts(die)) continue;
      least = die;
      if (pages_[die] == 0) break;
    }
    return least;
  }

 private:
  std::span<std::uint32_t> pages_;    ///< of the host and copies, queued and not reported
  std::span<std::uint32_t> refused_;  ///< in which round
  std::uint32_t round_ = 0;
  std::uint64_t all_ = 0;
};

}  // namespace ftlab::volume
