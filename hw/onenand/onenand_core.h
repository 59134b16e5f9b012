// The Samsung Flex-OneNAND behind its pins: a 128 KiB window of buffer RAM and registers, INT pin, RP# pin, supply.
// Pure C++, evaluated lazily: every access carries its time; what ended before it is completed first, so no events are
// needed. Routes accesses to the dies; knows no SystemC, no host timing and never why an operation happens.
//
// Time: a read samples at its beginning, a write takes effect at its end. A burst in buffer RAM sees the RAM as at its
// beginning (read) or changes it at its end (write); register words are sampled one by one. Times passed in must not
// run backwards by more than what was already settled.
// Energy: total = on_end energies + access energies + state_energy(). Operations and accesses count what they draw
// above standby; state_energy() is standby power of every die over all time with supply.
// Segments are numbered over dies: die d owns [d * n, (d + 1) * n). An array address is
// segment * 512 KiB + page * 4 KiB, also in the SLC area, whose segments use their first 64 pages only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>

#include "common/units.h"
#include "hw/base/bus_result.h"
#include "hw/base/device_observer.h"
#include "hw/onenand/onenand_spec.h"

namespace ftlab::hw {

struct OneNandOptions {
  std::uint64_t seed = 1;     ///< endurance limits, bad segments, bit errors, RAM garbage
  bool store_content = true;  ///< false: programmed main areas read as 00h, all else (spare areas too) identical
  DeviceObserver* observer = nullptr;  ///< not owned; may be null
  bool observe_accesses = true;        ///< false: bus accesses are only counted in access_totals()
};

class OneNandCore {
 public:
  /// Powered, its cold boot finished at time zero: INT register 8080h, all segments locked.
  OneNandCore(const OneNandSpec& spec, const OneNandOptions& options);
  ~OneNandCore();
  OneNandCore(const OneNandCore&) = delete;
  OneNandCore& operator=(const OneNandCore&) = delete;

  /// As constructed: a part fresh from the factory, at time zero; takes no memory anew, which makes short lives many.
  void renew();

  // --- bus: 16-bit cycles only ---
  /// Words at ascending addresses, or all at one address when `repeat`. On an error nothing happens.
  BusResult read(Ticks now, std::uint32_t address, std::span<std::byte> into, bool repeat = false);
  BusResult write(Ticks now, std::uint32_t address, std::span<const std::byte> from, bool repeat = false);

  // --- INT pin and waiting ---
  /// Level of INT of the die that DBS selects; low while the pins are off (IOBE 0).
  [[nodiscard]] bool int_pin(Ticks now) const;
  /// Earliest time > now at which INT goes to its active level if nobody accesses the device; kNever if it will not,
  /// and always while the pins are off.
  [[nodiscard]] Ticks next_ready_edge(Ticks now) const;
  /// Earliest time > now at which INT changes by itself, in either direction.
  [[nodiscard]] Ticks next_ready_change(Ticks now) const { return next_ready_edge(now); }
  /// Earliest time > now at which any readable status changes by itself; kNever if nothing is under way.
  [[nodiscard]] Ticks next_status_change(Ticks now) const;
  /// Completes what ends up to and including `now`.
  void settle(Ticks now);

  // --- pins and supply ---
  /// RP#: asserting is a warm reset, work under way is left half done; releasing boots.
  void reset_pin(Ticks now, bool asserted);
  /// Supply gone: everything volatile is lost, work under way is left half done.
  void power_cut(Ticks now);
  /// Cold boot: BootRAM is filled and INT rises after the boot time; the partition boundary is read.
  void power_up(Ticks now);

  // --- accounting ---
  /// Always current; stays where it is as long as the device lives.
  [[nodiscard]] const AccessTotals& access_totals() const;
  [[nodiscard]] StateEnergy state_energy(Ticks until) const;

  // --- inspection: no time, no state ---
  [[nodiscard]] const OneNandSpec& spec() const;
  [[nodiscard]] std::uint32_t erase_count(std::uint32_t segment) const;
  /// Cycles after which the segment fails in its present area.
  [[nodiscard]] std::uint32_t endurance_limit(std::uint32_t segment) const;
  /// Bad from the factory.
  [[nodiscard]] bool is_factory_bad(std::uint32_t segment) const;
  /// Bad from the factory, or failed since.
  [[nodiscard]] bool is_bad(std::uint32_t segment) const;
  [[nodiscard]] bool is_slc(std::uint32_t segment) const;
  [[nodiscard]] bool locked(std::uint32_t segment) const;
  /// Last SLC segment of the die, as in force.
  [[nodiscard]] std::uint32_t boundary(std::uint32_t die) const;
  [[nodiscard]] bool is_programmed(std::uint32_t segment, std::uint32_t page) const;
  /// Raw bit errors that a load at `now` would meet, per sector; 255 where nothing can be read.
  [[nodiscard]] std::array<std::uint8_t, 8> page_errors(std::uint32_t segment, std::uint32_t page, Ticks now) const;
  /// Raw bit error rate of a programmed page; 0 of a blank one.
  [[nodiscard]] double bit_error_rate(std::uint32_t segment, std::uint32_t page, Ticks now) const;
  /// Main areas by array address, as programmed; work under way has not changed them yet.
  void peek(std::uint64_t address, std::span<std::byte> into) const;
  void peek_spare(std::uint32_t segment, std::uint32_t page, std::span<std::byte, 128> into) const;
  /// Sets bytes of main areas; a blank page becomes a programmed one, with its spare area FFh.
  void poke(std::uint64_t address, std::span<const std::byte> from);
  void poke_spare(std::uint32_t segment, std::uint32_t page, std::span<const std::byte, 128> from);
  /// Ages a segment as if it had been erased this often; its limit stays.
  void set_erase_count(std::uint32_t segment, std::uint32_t cycles);

  /// Everything that survives without supply. load_image throws InputError when the image is of another geometry, cut
  /// short or damaged (`name` stands for it in the message) and leaves the device as it was.
  void save_image(std::ostream& out) const;
  void load_image(std::istream& in, const std::string& name);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ftlab::hw
