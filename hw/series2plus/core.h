// The Intel Series 2+ card behind its pins: two bus windows, ready line, supply.
// Routes cycles to component pairs and management registers; never knows why an operation happens.
//
// Time: a read cycle samples at its beginning, a write cycle takes effect at its end (WE# rising); cycle i of a burst
// begins i cycle times after the access.
// Energy: total = on_end energies + access energies + state_energy(). An operation's energy is what it draws above
// standby from Vcc, plus all of Vpp while it works or is suspended. An access' energy is likewise above standby.
// state_energy() is standby or sleep power of every component over all time, busy or not, plus Vpp leakage.
// Without content all data reads as FFh.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "common/units.h"
#include "hw/base/device_core.h"
#include "hw/base/device_options.h"
#include "hw/series2plus/spec/spec.h"

namespace ftlab::hw {

class CardCore final : public DeviceCore {
 public:
  using Spec = CardSpec;

  /// Powered on at time zero, Vpp pin low, write-protect switch off.
  CardCore(const CardSpec& spec, const DeviceOptions& options);
  ~CardCore() override;

  /// As constructed, all segments erased and unworn, at time zero; takes no memory anew, so that tests can afford it
  /// often.
  void renew();

  // --- bus ---
  [[nodiscard]] AddressWindow& common();
  [[nodiscard]] AddressWindow& attribute();
  [[nodiscard]] std::span<AddressWindow* const> windows() override { return windows_; }

  // --- RDY/BSY# and waiting ---
  [[nodiscard]] bool line_level(Ticks now) const override;
  [[nodiscard]] Ticks next_line_change(Ticks now) const override;
  [[nodiscard]] Ticks next_ready_edge(Ticks now) const override;
  [[nodiscard]] Ticks next_status_change(Ticks now) const override;
  void advance_to(Ticks now) override;

  // --- pins ---
  /// 12 V on the socket's Vpp pins. Taking it away fails what needs it.
  void set_vpp_pin(Ticks now, bool on);
  /// Mechanical switch: common memory ignores every write cycle.
  void set_write_protect_switch(bool on);
  /// RESET pin: while asserted all components are held in reset; work under way is left half done.
  void reset_pin(Ticks now, bool asserted);
  void lose_power(Ticks now) override;
  void restore_power(Ticks now) override;

  // --- accounting ---
  [[nodiscard]] const AccessTotals& access_totals() const override;
  [[nodiscard]] StateEnergy state_energy(Ticks until) const override;
  /// The larger count of the segment's two component blocks.
  [[nodiscard]] std::uint32_t erase_count(std::uint32_t segment) const override;

  // --- inspection ---
  [[nodiscard]] const CardSpec& spec() const;
  /// Cycles after which the segment's weaker component block fails.
  [[nodiscard]] std::uint32_t endurance_limit(std::uint32_t segment) const;
  /// True when both component blocks are locked.
  [[nodiscard]] bool locked(std::uint32_t segment) const;
  [[nodiscard]] std::uint64_t array_bytes() const override { return spec().capacity_bytes(); }
  void peek(std::uint64_t address, std::span<std::byte> into) const override;
  void poke(std::uint64_t address, std::span<const std::byte> from) override;

  /// Content, erase counts, worn blocks and lock bits.
  void save_image(std::ostream& out) const override;
  void load_image(std::istream& in, const std::string& name) override;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
  std::array<AddressWindow*, 2> windows_;
};

}  // namespace ftlab::hw
