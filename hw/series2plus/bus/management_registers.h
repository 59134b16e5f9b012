// Component management registers of the card, attribute memory 4000h and up: their values, and what follows from them.
// Byte wide, on even addresses. Knows no component; the card acts on held(), block locking and Vpp.
#pragma once

#include <cstdint>

#include "common/units.h"
#include "hw/regs/series2plus_regs.h"

namespace ftlab::hw {

class ManagementRegisters {
 public:
  /// Values after power-up and reset.
  void reset() { *this = ManagementRegisters{}; }

  /// Soft reset or global power-down is written: components are held in reset.
  [[nodiscard]] bool holds_components() const { return soft_reset() || power_down(); }
  [[nodiscard]] bool soft_reset() const { return (option & series2plus::cmr::kOptionSreset) != 0; }
  [[nodiscard]] bool power_down() const { return (status & series2plus::cmr::kStatusPowerDown) != 0; }
  [[nodiscard]] bool block_lock_enable() const { return (protection & series2plus::cmr::kProtectBlockLockEnable) != 0; }
  [[nodiscard]] bool common_protected() const { return (protection & series2plus::cmr::kProtectCommon) != 0; }
  [[nodiscard]] bool generator_enabled() const { return (voltage & series2plus::cmr::kVoltageVppEnable) != 0; }

  /// Card status register; `ready` is the state of all RY/BY# outputs.
  [[nodiscard]] std::uint8_t card_status(bool ready, bool protect_switch) const {
    using namespace series2plus::cmr;
    std::uint8_t value = ready ? kCardReady : 0;
    if (soft_reset()) value |= kCardSoftReset;
    if (common_protected()) value |= kCardCommonWriteProtect;
    if (power_down()) value |= kCardPowerDown;
    if ((protection & kProtectCis) != 0) value |= kCardCisWriteProtect;
    if (protect_switch) value |= kCardWriteProtectSwitch;
    return value;
  }

  std::uint8_t option = 0;
  std::uint8_t status = 0;
  std::uint8_t protection = series2plus::cmr::kProtectBlockLockEnable;
  std::uint8_t voltage = 0;  ///< writable bits only
};

}  // namespace ftlab::hw
