#include "platform/machine/core/spin_waits.h"

#include <algorithm>

namespace ftlab::platform {

unsigned& SpinWaits::failures_of(std::uint32_t pc) {
  Failures& place = failures_[pc / 2 % failures_.size()];
  if (place.pc != pc) place = {pc, 0};
  return place.count;
}

void SpinWaits::begin(std::uint64_t bus_cycles) {
  // What the iteration accesses is collected apart, so that it can be counted several times.
  ledger_.collect_accesses();
  begun_ = {core_.pc(), core_.cycles(), core_.instructions(), bus_cycles, ledger_.totals().bus_time, asked_};
  steady_until_ = CoreClock::kNeverCycle;
  reads_part_ = unrepeatable_ = false;
  core_.begin_iteration();
  records_ = true;
}

void SpinWaits::end() {
  core_.end_iteration();
  records_ = false;
}

void SpinWaits::give_up() {
  ++failures_of(begun_.pc);
  end();
}

bool SpinWaits::comes_round() const {
  return !unrepeatable_ && core_.comes_round() && asked_.knows_the_same(begun_.asked) &&
         (!reads_part_ || ledger_.can_repeat_accesses());
}

std::uint64_t SpinWaits::repeat(const Limits& limits, std::uint64_t bus_cycles) {
  const std::uint32_t pc = core_.pc();
  if (!records_) {
    if (failures_of(pc) < kFailures) {
      begin(bus_cycles);
    } else {
      failures_of(pc) = 0;
      core_.iss_core().dismiss_wait();
    }
    return 0;
  }
  // A loop inside the one that is recorded, or around it.
  if (pc != begun_.pc) return 0;
  if (!comes_round()) {
    give_up();
    return 0;
  }
  // An access of the part is rounded to cycles by where in a tick it begins.
  if (reads_part_ && (core_.cycles() - begun_.cycles) % clock_.cycles_of_whole_ticks() != 0) return 0;
  const std::uint64_t waited = count(limits, bus_cycles);
  end();
  return waited;
}

std::uint64_t SpinWaits::count(const Limits& limits, std::uint64_t bus_cycles) {
  const std::uint64_t now = core_.cycles();
  const std::uint64_t cycles = now - begun_.cycles;
  const std::uint64_t instructions = core_.instructions() - begun_.instructions;
  const std::uint64_t until = std::min(limits.cycle, steady_until_);
  const std::uint64_t times = std::min((until - std::min(until, now)) / cycles, limits.instructions / instructions);
  if (times == 0) return 0;
  failures_of(begun_.pc) = 0;
  core_.iss_core().count_repeated(times * cycles, times * instructions);
  counted_ += times * instructions;
  asked_.repeat(begun_.cycles, times * cycles);
  ledger_.repeat_accesses(times, ledger_.totals().bus_time - begun_.bus_time);
  return times * (bus_cycles - begun_.bus_cycles);
}

}  // namespace ftlab::platform
