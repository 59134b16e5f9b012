// Watches a device as an observer and by its sums: time and energy never run backwards, what ends has begun.
#pragma once

#include <array>
#include <cstdint>

#include "hw/base/energy.h"
#include "hw/base/observer.h"
#include "hw/base/time_hint.h"
#include "tests/fuzz/support/input.h"
#include "tests/fuzz/support/require.h"

namespace ftlab::fuzz {

class Watcher final : public hw::DeviceObserver {
 public:
  void reset() { *this = Watcher{}; }

  void on_start(hw::DeviceOp& op) override { op.tag = ++started_; }
  void on_end(const hw::DeviceOp& op) override {
    require(op.tag > 0 && op.tag <= started_, "an operation that ends has begun");
    require(op.busy >= Ticks::zero() && op.end >= op.start, "an operation takes time");
    require(op.busy <= op.end - op.start, "a device works no longer than from begin to end");
    require(op.energy >= Picojoules{}, "an operation takes energy");
    require(++ended_ <= started_, "an operation ends once");
  }
  void on_access(const hw::DeviceOp& op) override {
    require(op.busy >= Ticks::zero() && op.energy >= Picojoules{}, "an access takes time and energy");
  }

  /// The sums of a device as they are now; none may be less than when this was called before.
  void look(const hw::AccessTotals& totals, const hw::StateEnergy& state) {
    for (std::size_t i = 0; i < totals.size(); ++i) {
      require(totals[i].accesses >= totals_[i].accesses && totals[i].bytes >= totals_[i].bytes, "accesses only add up");
      require(totals[i].busy >= totals_[i].busy && totals[i].energy >= totals_[i].energy,
              "time and energy of accesses only add up");
    }
    require(state.standby >= state_.standby && state.sleep >= state_.sleep && state.vpp >= state_.vpp,
            "energy that flows whatever happens only adds up");
    totals_ = totals;
    state_ = state;
  }

 private:
  std::uint32_t started_ = 0;
  std::uint32_t ended_ = 0;
  hw::AccessTotals totals_{};
  hw::StateEnergy state_{};
};

/// Times an input can ask for: short ones, long ones, all together within the clock of a run.
inline constexpr Ticks kLongestRun{std::int64_t{1} << 60};

/// Time passes as the input says: for so long, or up to what the device does next.
template <class Core>
void pass_time(Input& in, Core& core, Ticks& now) {
  const std::uint8_t how = in.byte();
  if (how < 64) {
    now += Ticks{std::int64_t{1} << (how % 50)};
  } else {
    const Ticks next = how < 160 ? core.next_status_change(now) : core.next_ready_edge(now);
    if (next != kNever && next < kLongestRun) now = next;
  }
  core.advance_to(now);
}

/// One input, as traffic on that bus.
template <class Bus>
int run_bus(const std::uint8_t* data, std::size_t size) {
  static Bus bus;
  constexpr int kSteps = 96;
  Input in(data, size);
  bus.renew();
  bus.run(in, kSteps);
  return 0;
}

}  // namespace ftlab::fuzz
