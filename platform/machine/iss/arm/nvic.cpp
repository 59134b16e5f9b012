#include "platform/machine/iss/arm/nvic.h"

#include <algorithm>
#include <utility>

namespace ftlab::iss::arm {

Nvic::Nvic(unsigned interrupts, unsigned priority_bits)
    : interrupts_(std::min(interrupts, kMaxInterrupts)), priority_bits_(std::clamp(priority_bits, 3U, 8U)) {
  reset();
}

bool Nvic::exists(unsigned number) const {
  return number < kFirstInterrupt + interrupts_ && number >= kNmi && number != 13 && !(number > 6 && number < 11);
}

void Nvic::reset() {
  pending_ = {};
  active_ = {};
  enabled_ = {};
  group_ = 0;
  news_ = false;
  priority_.fill(0);
  priority_[kReset] = -3;
  priority_[kNmi] = -2;
  priority_[kHardFault] = -1;
  // Others have a bit that enables them.
  for (const unsigned always : {kNmi, kHardFault, kSvCall, kPendSv, kSysTick}) {
    enabled_.set(always, true);
  }
  for_each_of_both(line_, line_, [this](unsigned number) { pend(number); });
}

void Nvic::pend(unsigned number) {
  news_ = news_ || !pending_.has(number);
  pending_.set(number, true);
}

void Nvic::activate(unsigned number) {
  pending_.set(number, false);
  active_.set(number, true);
}

void Nvic::deactivate(unsigned number) {
  active_.set(number, false);
  if (line_.has(number)) {
    pend(number);
  }
}

void Nvic::set_line(unsigned interrupt, bool high) {
  const unsigned number = kFirstInterrupt + interrupt;
  if (high && !line_.has(number)) {
    pend(number);
  }
  line_.set(number, high);
}

int Nvic::group_priority(int priority) const {
  // The fixed ones are groups of their own.
  return priority < 0 ? priority : priority & ~((2 << group_) - 1);
}

unsigned Nvic::first_pending() const {
  unsigned first = 0;
  for_each_of_both(pending_, enabled_, [&](unsigned number) {
    if (first == 0 || priority_[number] < priority_[first]) {
      first = number;
    }
  });
  return first;
}

int Nvic::execution_priority(const Registers& g, bool masks) const {
  int priority = kIdle;
  for_each_of_both(active_, active_,
                   [&](unsigned number) { priority = std::min(priority, group_priority(priority_[number])); });
  if (g.basepri != 0) {
    priority = std::min(priority, group_priority(g.basepri));
  }
  if (g.primask && masks) {
    priority = std::min(priority, 0);
  }
  return g.faultmask ? std::min(priority, -1) : priority;
}

unsigned Nvic::preempting(const Registers& g, bool masks) const {
  const unsigned first = first_pending();
  return first != 0 && group_priority(priority_[first]) < execution_priority(g, masks) ? first : 0;
}

bool Nvic::take_news() { return std::exchange(news_, false); }

}  // namespace ftlab::iss::arm
