// Waits that spin, recognised: a loop whose iteration has left the core and memory as they were, and has read of
// devices only what stays, does the same again until something outside the core happens. All iterations until then are
// counted at once, with the time they take and the accesses they make, as if each had been executed. Knows neither an
// instruction set nor a device: who makes accesses says until when they read the same.
#pragma once

#include <array>
#include <cstdint>

#include "common/units.h"
#include "platform/machine/core/asked_devices.h"
#include "platform/machine/core/core_clock.h"
#include "platform/machine/core/target_core.h"
#include "platform/machine/ledger.h"

namespace ftlab::platform {

class SpinWaits {
 public:
  /// They outlive it.
  SpinWaits(TargetCore& core, const CoreClock& clock, Ledger& ledger, AskedDevices& asked)
      : core_(core), clock_(clock), ledger_(ledger), asked_(asked) {}

  /// Between two runs; nothing is recorded at first.
  void look(bool on) { core_.iss_core().look_for_waits(on); }

  /// Whether an iteration is being recorded; what happens in it has to be told then.
  [[nodiscard]] bool records() const { return records_; }
  /// A register of the board has been read, and reads the same before that time.
  void reads(Ticks steady_until) { note(clock_.first_from(steady_until)); }
  /// The same of the part.
  void reads_part(Ticks steady_until) {
    reads_part_ = true;
    reads(steady_until);
  }
  /// Something outside the core has changed.
  void changes() { unrepeatable_ = true; }

  /// So many instructions may be executed until the iteration ends or is given up.
  [[nodiscard]] std::uint64_t room() const {
    return records_ ? begun_.instructions + kLongest - core_.instructions() : kWithoutLimit;
  }
  /// They have been, or it has stopped the run, as by sleep: it is none.
  void give_up();
  /// The run has come to its end, at which anything may change.
  void forget() {
    if (records_) end();
  }

  /// Until then nothing happens by itself.
  struct Limits {
    std::uint64_t cycle = 0;
    std::uint64_t instructions = 0;  ///< from now on
  };
  /// The core says that its loop repeats; it has waited so many cycles for the bus since its start. Counts whole
  /// iterations, if they are known to come; gives what of their cycles was waiting for the bus.
  std::uint64_t repeat(const Limits& limits, std::uint64_t bus_cycles);
  /// Instructions that have been counted so.
  [[nodiscard]] std::uint64_t counted() const { return counted_; }

 private:
  static constexpr std::uint64_t kWithoutLimit = ~std::uint64_t{0};
  /// Instructions of an iteration, or of several where the bus takes turns of cycles.
  static constexpr std::uint64_t kLongest = 1024;
  /// So often in a row a loop may turn out to be none that waits.
  static constexpr unsigned kFailures = 16;

  void note(std::uint64_t cycle) {
    if (cycle < steady_until_) steady_until_ = cycle;
  }
  void begin(std::uint64_t bus_cycles);
  void end();
  unsigned& failures_of(std::uint32_t pc);
  [[nodiscard]] bool comes_round() const;
  std::uint64_t count(const Limits& limits, std::uint64_t bus_cycles);

  TargetCore& core_;
  const CoreClock& clock_;
  Ledger& ledger_;
  AskedDevices& asked_;

  struct Begun {
    std::uint32_t pc = 0;
    std::uint64_t cycles = 0;
    std::uint64_t instructions = 0;
    std::uint64_t bus_cycles = 0;
    Ticks bus_time{};
    AskedDevices asked;
  } begun_;
  std::uint64_t steady_until_ = CoreClock::kNeverCycle;
  std::uint64_t counted_ = 0;
  bool records_ = false;
  bool reads_part_ = false;
  bool unrepeatable_ = false;

  struct Failures {
    std::uint32_t pc = 0;
    unsigned count = 0;
  };
  std::array<Failures, 256> failures_{};
};

}  // namespace ftlab::platform
