// Eq. 7 and 9 at each start of a window.
#include "firmware/ftl/flexfs/decide/wear_budget.h"

#include <algorithm>

namespace ftlab::flexfs {

void WearBudget::configure(std::uint64_t window_ns, std::uint64_t windows) {
  window_ns_ = std::max<std::uint64_t>(window_ns, 1);
  windows_ = std::max<std::uint64_t>(windows, 1);
  clear();
}

void WearBudget::clear() {
  window_ = incoming_ = budget_ = 0;
  known_ = whole_ = true;
  past_.clear();
  delta_ = kOne;
}

void WearBudget::resume(std::uint64_t life_ns, std::uint64_t endurance, std::uint64_t used) {
  clear();
  window_ = life_ns / window_ns_;
  budget_ = budget_of(endurance, used, windows_, window_);
  if (life_ns == 0) return;
  known_ = whole_ = false;
  delta_ = index_by_pace(life_ns, endurance, used);
}

Q16 WearBudget::index_by_pace(std::uint64_t life_ns, std::uint64_t endurance, std::uint64_t used) const {
  const std::uint64_t a_window = endurance / windows_;
  const std::uint64_t even =
      life_ns / window_ns_ * a_window + scaled(a_window, fraction((life_ns % window_ns_) >> 10, window_ns_ >> 10));
  return used < even ? kOne : 0;
}

std::uint64_t WearBudget::budget_of(std::uint64_t endurance, std::uint64_t used, std::uint64_t windows,
                                    std::uint64_t window) {
  const std::uint64_t left = endurance > used ? endurance - used : 0;
  // Past the promised lifetime what is left may be spent at once.
  return windows > window ? left / (windows - window) : left;
}

Q16 WearBudget::index_of(std::uint64_t budget, std::uint64_t incoming) {
  if (incoming == 0) return kOne;
  if (budget <= incoming) return 0;
  return fraction((budget - incoming) >> 10, (2 * incoming) >> 10);
}

void WearBudget::advance(std::uint64_t life_ns, std::uint64_t endurance, std::uint64_t used) {
  const std::uint64_t now = life_ns / window_ns_;
  if (now <= window_) {
    if (!known_) delta_ = index_by_pace(life_ns, endurance, used);
    return;
  }
  if (whole_) past_.push(incoming_);
  // Windows in which nothing was asked of us had no incoming data either.
  const std::uint64_t silent = std::min<std::uint64_t>(now - window_ - 1, kEstimate);
  for (std::uint64_t i = 0; i < silent; ++i) past_.push(0);
  known_ = known_ || whole_ || silent > 0;
  whole_ = true;
  incoming_ = 0;
  window_ = now;
  budget_ = budget_of(endurance, used, windows_, window_);
  delta_ = known_ ? index_of(budget_, past_.mean()) : index_by_pace(life_ns, endurance, used);
}

}  // namespace ftlab::flexfs
