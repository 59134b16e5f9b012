// What the dies of one device share: parameters, cells, models, observer, and the registers that every die latches.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "hw/base/device_options.h"
#include "hw/base/observer.h"
#include "hw/base/random_stream.h"
#include "hw/onenand/aging/aging.h"
#include "hw/onenand/aging/error_model.h"
#include "hw/onenand/array/cell_array.h"
#include "hw/onenand/spec/spec.h"
#include "hw/regs/onenand_regs.h"

namespace ftlab::hw {

/// Registers written by the host and latched by all dies alike.
struct OneNandRegisters {
  std::uint16_t start_address1 = 0;
  std::uint16_t start_address2 = 0;
  std::array<std::uint16_t, 5> unused_addresses{};  ///< start address 3-7: kept, without function
  std::uint16_t start_address8 = 0;
  std::uint16_t start_buffer = 0;
  std::uint16_t config = flexonenand::config::kDefault;
  std::uint16_t start_block = 0;
  std::uint16_t end_block = 0;
  bool id_mode = false;        ///< BootRAM words 0-2 show identifiers
  bool boot_load_set = false;  ///< first half of the two-cycle load was written

  [[nodiscard]] std::uint32_t dfs() const { return start_address1 >> 15; }
  [[nodiscard]] std::uint32_t dbs() const { return start_address2 >> 15; }
  [[nodiscard]] std::uint32_t fpa() const {
    return (start_address8 & flexonenand::start_address::kPageMask) >> flexonenand::start_address::kPageShift;
  }
  [[nodiscard]] bool ecc_on() const { return (config & flexonenand::config::kEccOff) == 0; }
  /// Sector and buffer fields that the part insists on.
  [[nodiscard]] bool page_address_legal() const {
    return start_buffer == flexonenand::kStartBufferPage &&
           (start_address8 & flexonenand::start_address::kSectorMask) == 0;
  }
};

struct OneNandContext {
  static constexpr std::uint32_t kPowerLossStream = 0x43555421;  // "CUT!"

  OneNandContext(const OneNandSpec& part, const DeviceOptions& options, CellArray array)
      : spec(part),
        cells(std::move(array)),
        aging(spec),
        errors(spec, options.seed),
        observer(options.observer),
        observe_begins(options.observe_begins),
        power_loss(make_stream(options.seed, {kPowerLossStream})) {}
  OneNandContext(const OneNandContext&) = delete;
  OneNandContext& operator=(const OneNandContext&) = delete;

  /// The bits of a written segment number that a die decodes: hosts may count segments over both dies.
  [[nodiscard]] std::uint32_t in_die(std::uint16_t number) const { return number & (spec.segments_per_die - 1); }
  [[nodiscard]] std::uint32_t fba() const { return in_die(registers.start_address1); }

  const OneNandSpec spec;
  CellArray cells;
  Aging aging;
  ErrorModel errors;
  DeviceObserver* observer;
  bool observe_begins;
  boost::random::taus88 power_loss;  ///< what DataRAM holds after power-up
  OneNandRegisters registers;
};

}  // namespace ftlab::hw
