// The transfers of one channel that are ahead, each for itself, sorted by their begin: who takes the channel, and since
// when the data has been ready. Knows nothing of what crosses it. One that would come before others which are ready
// later is put over them, until Arbitration has settled who moves.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/units.h"

namespace ftlab::hw::array {

struct Crossing {
  static constexpr std::uint32_t kNobody = UINT32_MAX;

  Ticks ready{};
  Ticks begin{};
  Ticks end{};
  std::uint32_t die = kNobody;
  bool stays = false;  ///< wherever its die's other operations go
};

class Crossings {
 public:
  /// Behind those that were ready by then, before the others: its begin.
  Ticks take_by_readiness(Ticks now, std::uint32_t die, Ticks ready, Ticks length);
  /// In the earliest gap between all, where it stays: its begin.
  Ticks take_gap(Ticks now, std::uint32_t die, Ticks ready, Ticks length);
  /// What a die takes from `from` on and may move happens so much later, when the read ends that crosses until `behind`
  /// or later.
  void delay(std::uint32_t die, Ticks from, Ticks behind, Ticks by);
  /// One that may move takes the earliest gap between all: its begin.
  Ticks place(std::uint32_t die, Ticks ready, Ticks length);
  /// One whose place is known.
  void add(const Crossing& crossing);
  /// What a die takes from then on.
  void remove_from(std::uint32_t die, Ticks begin) {
    std::erase_if(ahead_, [die, begin](const Crossing& one) { return one.die == die && one.begin >= begin; });
  }
  void clear() {
    ahead_.clear();
    unsettled_from_ = kNever;
  }
  [[nodiscard]] const std::vector<Crossing>& ahead() const { return ahead_; }
  /// Those that are ready then or later may lie over each other; kNever: none.
  [[nodiscard]] Ticks unsettled_from() const { return unsettled_from_; }
  void settled() { unsettled_from_ = kNever; }
  /// Of all that somebody takes, what lies behind `until`.
  [[nodiscard]] Ticks time_behind(Ticks until) const {
    Ticks sum{};
    for (const Crossing& one : ahead_)
      if (one.die != Crossing::kNobody) sum += std::max(one.end - std::max(one.begin, until), Ticks::zero());
    return sum;
  }

 private:
  [[nodiscard]] Ticks earliest_gap(Ticks ready, Ticks length) const;
  /// Those before have ended by then.
  [[nodiscard]] std::vector<Crossing>::const_iterator may_reach(Ticks when) const {
    return std::ranges::lower_bound(ahead_, when - longest_, {}, &Crossing::begin);
  }
  void forget_before(Ticks now);

  std::vector<Crossing> ahead_;
  Ticks longest_{};  ///< that was ever taken at once
  Ticks unsettled_from_ = kNever;
};

}  // namespace ftlab::hw::array
