// A device behind its pins, in plain C++: what every family of parts gives, and all that the SystemC shell knows of it.
// Evaluated lazily: every access carries its time, and what ended before it is completed first.
// Times passed in do not run backwards by more than what was already completed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>

#include "common/units.h"
#include "hw/base/address_window.h"
#include "hw/base/bus_result.h"
#include "hw/base/energy.h"
#include "hw/base/observer.h"
#include "hw/base/time_hint.h"

namespace ftlab::hw {

class DeviceCore : public TimeHint {
 public:
  DeviceCore() = default;
  DeviceCore(const DeviceCore&) = delete;
  DeviceCore& operator=(const DeviceCore&) = delete;

  /// In the order of the data sheet; they live as long as the device.
  [[nodiscard]] virtual std::span<AddressWindow* const> windows() = 0;

  // --- ready or interrupt line; with TimeHint ---
  [[nodiscard]] virtual bool line_level(Ticks now) const = 0;
  /// Earliest time > now at which the line changes by itself, in either direction.
  [[nodiscard]] virtual Ticks next_line_change(Ticks now) const = 0;
  /// Completes what ends up to and including `now`.
  virtual void advance_to(Ticks now) = 0;
  /// A time > `now`, no later than when advance_to() may report the next begin of an operation if nobody accesses the
  /// device. kNever: nothing is queued.
  [[nodiscard]] virtual Ticks next_begin(Ticks now) const { return next_status_change(now); }

  // --- supply ---
  /// Everything volatile is lost, work under way is left half done (seeded).
  virtual void lose_power(Ticks now) = 0;
  virtual void restore_power(Ticks now) = 0;

  // --- accounting ---
  /// Always current; stays where it is as long as the device lives.
  [[nodiscard]] virtual const AccessTotals& access_totals() const = 0;
  /// All zero where the family does not sum operations but only reports each; where it does, it reports the same ones
  /// unless DeviceOptions turn that off.
  [[nodiscard]] virtual const OperationTotals& operation_totals() const {
    static constexpr OperationTotals kNone{};
    return kNone;
  }
  [[nodiscard]] virtual StateEnergy state_energy(Ticks until) const = 0;
  /// Erase cycles of a segment.
  [[nodiscard]] virtual std::uint32_t erase_count(std::uint32_t segment) const = 0;

  // --- inspection by array address: no time, no state; work under way has not changed the array yet ---
  [[nodiscard]] virtual std::uint64_t array_bytes() const = 0;
  virtual void peek(std::uint64_t address, std::span<std::byte> into) const = 0;
  virtual void poke(std::uint64_t address, std::span<const std::byte> from) = 0;

  /// Everything that survives without supply. load_image throws InputError when the image is of another geometry, cut
  /// short or damaged (`name` stands for it in the message) and leaves the device as it was.
  virtual void save_image(std::ostream& out) const = 0;
  virtual void load_image(std::istream& in, const std::string& name) = 0;
};

}  // namespace ftlab::hw
