// The Samsung Flex-OneNAND behind its pins: a 128 KiB window of buffer RAM and registers, INT pin, RP# pin, supply.
// Routes accesses to the dies; never knows why an operation happens.
//
// Time: a read samples at its beginning, a write takes effect at its end.
// Energy: total = on_end energies + access energies + state_energy(). Operations and accesses count what they draw
// above standby; state_energy() is standby power of every die over all time with supply.
// Segments are numbered over dies: die d owns [d * n, (d + 1) * n). An array address is
// segment * 512 KiB + page * 4 KiB, also in the SLC area, whose segments use their first 64 pages only.
// Without content programmed main areas read as 00h; spare areas are kept all the same.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "common/units.h"
#include "hw/base/device_core.h"
#include "hw/base/device_options.h"
#include "hw/onenand/spec/spec.h"

namespace ftlab::hw {

class OneNandCore final : public DeviceCore {
 public:
  using Spec = OneNandSpec;

  /// Powered, its cold boot finished at time zero: INT register 8080h, all segments locked.
  OneNandCore(const OneNandSpec& spec, const DeviceOptions& options);
  ~OneNandCore() override;

  /// As constructed: a part fresh from the factory, at time zero; takes no memory anew, so that tests can afford it
  /// often.
  void renew();

  // --- bus ---
  [[nodiscard]] AddressWindow& bus();
  [[nodiscard]] std::span<AddressWindow* const> windows() override { return windows_; }

  // --- INT pin and waiting ---
  /// INT of the die that DBS selects; low while the pins are off (IOBE 0).
  [[nodiscard]] bool line_level(Ticks now) const override;
  /// kNever while the pins are off.
  [[nodiscard]] Ticks next_ready_edge(Ticks now) const override;
  [[nodiscard]] Ticks next_line_change(Ticks now) const override { return next_ready_edge(now); }
  [[nodiscard]] Ticks next_status_change(Ticks now) const override;
  void advance_to(Ticks now) override;

  // --- pins and supply ---
  /// RP#: asserting is a warm reset, work under way is left half done; releasing boots.
  void reset_pin(Ticks now, bool asserted);
  void lose_power(Ticks now) override;
  /// Cold boot: BootRAM is filled and INT rises after the boot time; the partition boundary is read.
  void restore_power(Ticks now) override;

  // --- accounting ---
  [[nodiscard]] const AccessTotals& access_totals() const override;
  [[nodiscard]] StateEnergy state_energy(Ticks until) const override;
  [[nodiscard]] std::uint32_t erase_count(std::uint32_t segment) const override;

  // --- inspection: no time, no state ---
  [[nodiscard]] const OneNandSpec& spec() const;
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
  [[nodiscard]] std::uint64_t array_bytes() const override { return spec().capacity_bytes(); }
  /// Main areas, as programmed.
  void peek(std::uint64_t address, std::span<std::byte> into) const override;
  void peek_spare(std::uint32_t segment, std::uint32_t page, std::span<std::byte, 128> into) const;
  /// Sets bytes of main areas; a blank page becomes a programmed one, with its spare area FFh.
  void poke(std::uint64_t address, std::span<const std::byte> from) override;
  void poke_spare(std::uint32_t segment, std::uint32_t page, std::span<const std::byte, 128> from);
  /// Ages a segment as if it had been erased this often; its limit stays.
  void set_erase_count(std::uint32_t segment, std::uint32_t cycles);

  void save_image(std::ostream& out) const override;
  void load_image(std::istream& in, const std::string& name) override;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
  std::array<AddressWindow*, 1> windows_;
};

}  // namespace ftlab::hw
