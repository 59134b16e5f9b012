// Watches a device as an observer and by its sums: time and energy never run backwards, what ends has begun.
#pragma once

#include <array>
#include <cstdint>

#include "hw/base/bus_result.h"
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

/// A device watched on its bus while `Self` does step after step as an input says. 1 << `kLongestWait`: of one wait.
template <class Self, class Core, int kLongestWait = 49>
class WatchedBus {
 public:
  template <class Spec>
  explicit WatchedBus(const Spec& part) : core_(part, {.seed = 1, .store_content = true, .observer = &watcher_}) {}

  void renew() {
    core_.renew();
    watcher_.reset();
    now_ = Ticks{1'000'000};
  }

  void run(Input& in, int steps) {
    for (int i = 0; i < steps && !in.empty() && now_ < kLongestRun; ++i) {
      static_cast<Self&>(*this).step(in);
      watcher_.look(core_.access_totals(), core_.state_energy(now_));
    }
    static_cast<Self&>(*this).look_ahead();
  }

  Core& core() { return core_; }

 protected:
  /// Time passes as the input says: for so long, or up to what the device does next.
  void wait(Input& in) {
    static_cast<Self&>(*this).look_ahead();
    const std::uint8_t how = in.byte();
    if (how < 64) {
      now_ += Ticks{std::int64_t{1} << (how % (kLongestWait + 1))};
      core_.advance_to(now_);
    } else {
      wait_until(how < 160 ? core_.next_status_change(now_) : core_.next_ready_edge(now_));
    }
  }
  void wait_until(Ticks next) {
    if (next != kNever && next < kLongestRun) now_ = next;
    core_.advance_to(now_);
  }

  void look_ahead() {
    require(core_.next_ready_edge(now_) > now_, "the next edge of the line is ahead");
    require(core_.next_status_change(now_) > now_, "the next change of a status is ahead");
    (void)core_.line_level(now_);
  }

  /// `legal`: the bus has this access for certain.
  void booked(const hw::BusResult& result, bool legal = false) {
    require(!legal || result.error == hw::BusError::none, "a word that is there can be accessed");
    require(result.time >= Ticks::zero(), "a bus cycle takes time");
    require(result.error == hw::BusError::none || result.time == Ticks::zero(), "a refused access takes no time");
    now_ += result.time;
  }

  Watcher watcher_;
  Core core_;
  Ticks now_{};
};

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
