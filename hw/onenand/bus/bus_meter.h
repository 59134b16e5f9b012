// Bus accesses: how long they take in the present mode, their energy, their sums by kind, the observer's view.
// Knows nothing of what the accesses did.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "common/units.h"
#include "hw/base/energy.h"
#include "hw/base/observer.h"
#include "hw/onenand/spec/spec.h"
#include "hw/regs/onenand_regs.h"

namespace ftlab::hw {

class BusMeter {
 public:
  BusMeter(const OneNandSpec& spec, DeviceObserver* observer) : spec_(spec), observer_(observer) {
    configure(flexonenand::config::kDefault);
  }

  /// System configuration 1 was written: mode, latency and burst length count from now on.
  void configure(std::uint16_t config);

  /// Device cycles of one word.
  [[nodiscard]] Ticks read_time() const { return read_.single; }
  [[nodiscard]] Ticks write_time() const { return write_.single; }
  /// Device cycles of `words` at ascending addresses, or of `words` single ones when `repeat`.
  [[nodiscard]] Ticks read_time(std::int64_t words, bool repeat) const { return time(read_, words, repeat); }
  [[nodiscard]] Ticks write_time(std::int64_t words, bool repeat) const { return time(write_, words, repeat); }

  void read(DeviceOpKind kind, std::uint32_t die, std::uint32_t address, std::uint32_t bytes, Ticks now, Ticks busy) {
    book(kind, die, address, bytes, now, busy, energy(read_, busy));
  }
  void write(DeviceOpKind kind, std::uint32_t die, std::uint32_t address, std::uint32_t bytes, Ticks now, Ticks busy) {
    book(kind, die, address, bytes, now, busy, energy(write_, busy));
  }
  [[nodiscard]] const AccessTotals& totals() const { return totals_; }

 private:
  struct Mode {
    Ticks word{};                  ///< each word
    Ticks burst{};                 ///< each burst beside its words
    std::int64_t burst_words = 0;  ///< 0: a burst never ends by itself
    std::int64_t power_uw = 0;
    Ticks single{};  ///< a word alone
    Picojoules single_energy{};
  };
  [[nodiscard]] static Ticks time(const Mode& mode, std::int64_t words, bool repeat) {
    if (mode.burst == Ticks::zero()) return mode.word * words;
    const std::int64_t bursts = repeat                  ? words
                                : mode.burst_words == 0 ? 1
                                                        : (words + mode.burst_words - 1) / mode.burst_words;
    return mode.word * words + mode.burst * bursts;
  }
  [[nodiscard]] static Picojoules energy(const Mode& mode, Ticks busy) {
    return busy == mode.single ? mode.single_energy : energy_of(mode.power_uw, busy);
  }
  void book(DeviceOpKind kind, std::uint32_t die, std::uint32_t address, std::uint32_t bytes, Ticks now, Ticks busy,
            Picojoules energy) {
    AccessTotal& total = totals_[static_cast<std::size_t>(kind)];
    ++total.accesses;
    total.bytes += bytes;
    total.busy += busy;
    total.energy += energy;
    if (observer_ != nullptr) report(kind, die, address, bytes, now, busy, energy);
  }
  void report(DeviceOpKind kind, std::uint32_t die, std::uint32_t address, std::uint32_t bytes, Ticks now, Ticks busy,
              Picojoules energy);

  const OneNandSpec& spec_;
  DeviceObserver* observer_;
  Mode read_;
  Mode write_;
  AccessTotals totals_{};
};

}  // namespace ftlab::hw
