// Registers and pins, and what follows from them for the components.
#include "hw/series2plus/bus/control.h"

namespace ftlab::hw {

namespace cmr = series2plus::cmr;

void CardControl::reset_registers() {
  registers_.reset();
  line_.set_high_performance(false);
}

void CardControl::apply_hold(Ticks t) {
  const bool hold = !latches() || registers_.holds_components();
  card_.block_lock_enable = registers_.block_lock_enable();
  if (hold == held_) return;
  held_ = hold;
  for (const auto& pair : pairs_) {
    if (hold) {
      pair->hold(t);
    } else {
      pair->release(t);
    }
  }
}

void CardControl::apply_vpp(Ticks t) {
  if (!registers_.generator_enabled()) {
    card_.vpp.generator_valid_at = kNever;
  } else if (!card_.vpp.generator) {
    card_.vpp.generator_valid_at = t + card_.spec.timing.generator_rise;
  }
  card_.vpp.generator = registers_.generator_enabled();
  const VppSource leaking = card_.vpp.pin         ? VppSource::socket
                            : card_.vpp.generator ? VppSource::generator
                                                  : VppSource::none;
  card_.idle.set_vpp(t, leaking);
  if (card_.vpp.valid(t)) return;
  for (const auto& pair : pairs_) pair->lose_vpp(t);
}

std::uint8_t CardControl::read_register(Ticks t, std::uint32_t address) const {
  switch (address) {
    case cmr::kConfigurationOption:
      return registers_.option;
    case cmr::kConfigurationStatus:
      return registers_.status;
    case cmr::kCardStatus:
      return registers_.card_status(line_.all_ready(t), protect_switch_);
    case cmr::kWriteProtection:
      return registers_.protection;
    case cmr::kVoltageControl: {
      std::uint8_t value = registers_.voltage;
      if (card_.spec.vcc == Voltage::v3_3) value |= cmr::kVoltageIs3V3;
      if (card_.vpp.valid(t)) value |= cmr::kVoltageVppValid;
      return value;
    }
    case cmr::kReadyBusyMode: {
      if (!line_.high_performance()) return cmr::kReadyAcknowledge;
      return cmr::kReadyHighPerformance | (line_.level(t) ? cmr::kReadyAcknowledge : 0);
    }
    default:
      return 0xFF;
  }
}

void CardControl::write_register(Ticks t, std::uint32_t address, std::uint8_t value) {
  switch (address) {
    case cmr::kConfigurationOption:
      if ((value & cmr::kOptionSreset) != 0 && !registers_.soft_reset()) reset_registers();
      registers_.option = value;
      break;
    case cmr::kConfigurationStatus:
      registers_.status = value & cmr::kStatusPowerDown;
      break;
    case cmr::kWriteProtection:
      registers_.protection = value & (cmr::kProtectBlockLockEnable | cmr::kProtectCommon | cmr::kProtectCis);
      break;
    case cmr::kVoltageControl:
      registers_.voltage = value & cmr::kVoltageVppEnable;
      break;
    case cmr::kReadyBusyMode: {
      const bool high_performance = (value & cmr::kReadyHighPerformance) != 0;
      if (high_performance && (value & cmr::kReadyAcknowledge) == 0) line_.acknowledge(t);
      line_.set_high_performance(high_performance);
      return;
    }
    default:
      return;  // read-only or not there
  }
  apply_vpp(t);
  apply_hold(t);
}

void CardControl::set_vpp_pin(Ticks t, bool on) {
  card_.vpp.pin = on;
  apply_vpp(t);
}

void CardControl::reset_pin(Ticks t, bool asserted) {
  reset_asserted_ = asserted;
  if (asserted) reset_registers();
  apply_vpp(t);
  apply_hold(t);
}

void CardControl::lose_power(Ticks t) {
  if (!powered_) return;
  powered_ = false;
  reset_registers();
  apply_hold(t);
  card_.vpp.pin = false;
  apply_vpp(t);
  card_.idle.move(t, IdleState::sleep, IdleState::off, card_.spec.pairs * 2);
}

void CardControl::restore_power(Ticks t) {
  if (powered_) return;
  powered_ = true;
  card_.idle.move(t, IdleState::off, IdleState::sleep, card_.spec.pairs * 2);
  for (const auto& pair : pairs_) pair->scramble_buffers();
  apply_hold(t);
}

}  // namespace ftlab::hw
