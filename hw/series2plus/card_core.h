// The Intel Series 2+ card behind its pins: two bus windows, ready line, supply. Pure C++, evaluated lazily.
// Every access carries its time; what ended before it is completed first, so no events are needed. Routes cycles to
// component pairs and management registers; knows no SystemC, no host timing and never why an operation happens.
//
// Time: a read cycle samples at its beginning, a write cycle takes effect at its end (WE# rising); cycle i of a burst
// begins i cycle times after `now`. Times passed in must not run backwards by more than what was already settled.
// Energy: total = on_end energies + access energies + state_energy(). An operation's energy is what it draws above
// standby from Vcc, plus all of Vpp while it works or is suspended. An access' energy is likewise above standby.
// state_energy() is standby or sleep power of every component over all time, busy or not, plus Vpp leakage.
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
#include "hw/series2plus/card_spec.h"

namespace ftlab::hw {

struct CardCoreOptions {
  std::uint64_t seed = 1;              ///< endurance limits, page-buffer garbage, half-done work
  bool store_content = true;           ///< false: data reads as FFh, everything else identical
  DeviceObserver* observer = nullptr;  ///< not owned; may be null
  bool observe_accesses = true;        ///< false: bus accesses are only counted in access_totals()
};

enum class Window : std::uint8_t { common, attribute };

class CardCore {
 public:
  /// Powered on at time zero, Vpp pin low, write-protect switch off.
  CardCore(const CardSpec& spec, const CardCoreOptions& options);
  ~CardCore();
  CardCore(const CardCore&) = delete;
  CardCore& operator=(const CardCore&) = delete;

  /// As constructed, all segments erased and unworn, at time zero; takes no memory anew, which makes short lives many.
  void renew();

  // --- bus ---
  /// One byte = one 8-bit cycle (address bit 0 picks the lane); an even size = 16-bit cycles at ascending addresses, or
  /// all at one address when `repeat`. On an error nothing happens. `pace`: the master's cycle, which spreads the
  /// cycles of a burst where it is longer than the card's.
  BusResult read(Window window, Ticks now, std::uint32_t address, std::span<std::byte> into, bool repeat = false,
                 Ticks pace = {});
  BusResult write(Window window, Ticks now, std::uint32_t address, std::span<const std::byte> from, bool repeat = false,
                  Ticks pace = {});

  // --- ready line and waiting ---
  /// Level of RDY/BSY#.
  [[nodiscard]] bool ready(Ticks now) const;
  /// Earliest time > now at which RDY/BSY# rises if nobody accesses the card; kNever if it will not.
  [[nodiscard]] Ticks next_ready_edge(Ticks now) const;
  /// Earliest time > now at which RDY/BSY# changes, in either direction.
  [[nodiscard]] Ticks next_ready_change(Ticks now) const;
  /// Earliest time > now at which any readable status changes by itself; kNever if nothing is under way.
  [[nodiscard]] Ticks next_status_change(Ticks now) const;
  /// Completes what ends up to and including `now`.
  void settle(Ticks now);

  // --- pins ---
  /// 12 V on the socket's Vpp pins. Taking it away fails what needs it.
  void set_vpp_pin(Ticks now, bool on);
  /// Mechanical switch: common memory ignores every write cycle.
  void set_write_protect_switch(bool on);
  /// RESET pin: while asserted all components are held in reset; work under way is left half done.
  void reset_pin(Ticks now, bool asserted);
  /// Supply gone: everything volatile is lost, work under way is left half done (seeded).
  void power_cut(Ticks now);
  void power_up(Ticks now);

  // --- accounting ---
  /// Always current; stays where it is as long as the card lives.
  [[nodiscard]] const AccessTotals& access_totals() const;
  [[nodiscard]] StateEnergy state_energy(Ticks until) const;

  // --- inspection: no time, no state ---
  [[nodiscard]] const CardSpec& spec() const;
  /// Erase cycles of a segment: the larger count of its two component blocks.
  [[nodiscard]] std::uint32_t erase_count(std::uint32_t segment) const;
  /// Cycles after which the segment's weaker component block fails.
  [[nodiscard]] std::uint32_t endurance_limit(std::uint32_t segment) const;
  /// True when both component blocks are locked.
  [[nodiscard]] bool locked(std::uint32_t segment) const;
  /// Array content as it stands; work under way has not changed it yet.
  void peek(std::uint32_t address, std::span<std::byte> into) const;
  void poke(std::uint32_t address, std::span<const std::byte> from);

  /// Content, erase counts, worn blocks and lock bits. load_image throws InputError when the image is of another
  /// geometry, cut short or damaged (`name` stands for it in the message) and leaves the card as it was.
  void save_image(std::ostream& out) const;
  void load_image(std::istream& in, const std::string& name);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ftlab::hw
