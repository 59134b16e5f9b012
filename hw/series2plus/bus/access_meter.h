// Bus cycles: their energy, their sums by kind, and the observer's view of them.
// Knows nothing of what the cycles did.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "common/units.h"
#include "hw/base/energy.h"
#include "hw/base/observer.h"
#include "hw/series2plus/spec/spec.h"

namespace ftlab::hw {

class AccessMeter {
 public:
  AccessMeter(const CardSpec& spec, DeviceObserver* observer)
      : common_cycle_(spec.timing.common_cycle),
        attribute_cycle_(spec.timing.attribute_cycle),
        read_(energy_of(spec.power.read_uw, common_cycle_)),
        write_(energy_of(spec.power.write_uw, common_cycle_)),
        read_pair_(read_ * 2),
        write_pair_(write_ * 2),
        attribute_(energy_of(spec.power.attribute_uw, attribute_cycle_)),
        observer_(observer) {}

  /// One 16-bit cycle of common memory.
  void read_word(DeviceOpKind kind, std::uint32_t device, std::uint32_t address, Ticks now) {
    book(kind, device, address, 2, now, common_cycle_, read_pair_);
  }
  void write_word(DeviceOpKind kind, std::uint32_t device, std::uint32_t address, Ticks now) {
    book(kind, device, address, 2, now, common_cycle_, write_pair_);
  }

  /// `bytes` = 1: one 8-bit cycle; else bytes / 2 cycles of both components.
  void read(DeviceOpKind kind, std::uint32_t device, std::uint32_t address, std::uint32_t bytes, Ticks now) {
    book(kind, device, address, bytes, now, common_cycle_ * cycles(bytes), read_ * bytes);
  }
  void write(DeviceOpKind kind, std::uint32_t device, std::uint32_t address, std::uint32_t bytes, Ticks now) {
    book(kind, device, address, bytes, now, common_cycle_ * cycles(bytes), write_ * bytes);
  }
  void attribute(std::uint32_t address, std::uint32_t bytes, Ticks now) {
    book(DeviceOpKind::register_access, 0, address, bytes, now, attribute_cycle_ * cycles(bytes),
         attribute_ * cycles(bytes));
  }
  [[nodiscard]] const AccessTotals& totals() const { return totals_; }

 private:
  void book(DeviceOpKind kind, std::uint32_t device, std::uint32_t address, std::uint32_t bytes, Ticks now, Ticks busy,
            Picojoules energy) {
    AccessTotal& total = totals_[static_cast<std::size_t>(kind)];
    ++total.accesses;
    total.bytes += bytes;
    total.busy += busy;
    total.energy += energy;
    if (observer_ != nullptr) report(kind, device, address, bytes, now, busy, energy);
  }
  static std::int64_t cycles(std::uint32_t bytes) { return bytes == 1 ? 1 : bytes / 2; }
  [[gnu::noinline]] void report(DeviceOpKind kind, std::uint32_t device, std::uint32_t address, std::uint32_t bytes,
                                Ticks now, Ticks busy, Picojoules energy);

  Ticks common_cycle_;
  Ticks attribute_cycle_;
  Picojoules read_;  ///< one component, one cycle
  Picojoules write_;
  Picojoules read_pair_;
  Picojoules write_pair_;
  Picojoules attribute_;
  DeviceObserver* observer_;
  AccessTotals totals_{};
};

}  // namespace ftlab::hw
