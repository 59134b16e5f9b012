// Eq. 7 and 9 at each start of a window.
#include "firmware/flexfs/wear_budget.h"

#include <algorithm>

namespace ftlab::flexfs {

void WearBudget::configure(std::uint64_t window_ns, std::uint64_t windows) {
  window_ns_ = std::max<std::uint64_t>(window_ns, 1);
  windows_ = std::max<std::uint64_t>(windows, 1);
  clear();
}

void WearBudget::clear() {
  window_ = incoming_ = budget_ = 0;
  past_.clear();
  delta_ = kOne;
}

void WearBudget::resume(std::uint64_t life_ns, std::uint64_t endurance, std::uint64_t used) {
  clear();
  window_ = life_ns / window_ns_;
  budget_ = budget_of(endurance, used, windows_, window_);
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
  if (now <= window_) return;
  past_.push(incoming_);
  incoming_ = 0;
  // Windows in which nothing was asked of us had no incoming data either.
  const std::uint64_t silent = std::min<std::uint64_t>(now - window_ - 1, kEstimate);
  for (std::uint64_t i = 0; i < silent; ++i) past_.push(0);
  window_ = now;
  budget_ = budget_of(endurance, used, windows_, window_);
  delta_ = index_of(budget_, past_.mean());
}

}  // namespace ftlab::flexfs
