#include "hw/onenand/bus/control.h"

namespace ftlab::hw {

void OneNandControl::default_registers() {
  device_.registers = OneNandRegisters{};
  meter_.configure(device_.registers.config);
}

void OneNandControl::halt(Ticks t) {
  for (const auto& die : dies_) die->halt(t);
  default_registers();
}

void OneNandControl::hot_reset(Ticks t) {
  default_registers();
  for (const auto& die : dies_) die->reset(t, ResetKind::command);
}

void OneNandControl::reset_pin(Ticks t, bool asserted) {
  if (asserted == in_reset_) return;
  in_reset_ = asserted;
  if (!powered_) return;
  if (asserted) return halt(t);
  for (const auto& die : dies_) die->reset(t, booted_ ? ResetKind::warm : ResetKind::cold);
  booted_ = true;
}

void OneNandControl::lose_power(Ticks t) {
  if (!powered_) return;
  halt(t);
  powered_ = booted_ = false;
  powered_before_ += t - powered_since_;
}

void OneNandControl::restore_power(Ticks t) {
  if (powered_) return;
  powered_ = true;
  powered_since_ = t;
  for (const auto& die : dies_) {
    die->scramble_ram();
    if (!in_reset_) die->reset(t, ResetKind::cold);
  }
  booted_ = !in_reset_;
}

}  // namespace ftlab::hw
