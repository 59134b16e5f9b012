// The card's face: pins, registers and accounting. The bus is in card_bus.cpp, the image in card_image.cpp.
#include "hw/series2plus/card_core.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

#include "hw/series2plus/card_core_impl.h"
#include "hw/series2plus/cis.h"

namespace ftlab::hw {

namespace cmr = series2plus::cmr;

CardCore::Impl::Impl(const CardSpec& spec, const CardCoreOptions& chosen)
    : Impl(spec, chosen, WearModel(spec, chosen.seed), Medium(spec.capacity_bytes(), chosen.store_content)) {}

CardCore::Impl::Impl(const CardSpec& spec, const CardCoreOptions& chosen, WearModel wear, Medium medium)
    : options(chosen),
      card(spec, chosen, std::move(wear), std::move(medium)),
      pair_shift(static_cast<std::uint32_t>(std::countr_zero(spec.pair_bytes()))),
      line(pairs),
      cis(make_cis(spec)) {
  word_limit = spec.capacity_bytes() - 1;
  pairs.reserve(spec.pairs);
  for (std::uint32_t i = 0; i < spec.pairs; ++i) pairs.push_back(std::make_unique<ComponentPair>(card, i));
}

void CardCore::Impl::settle(Ticks now) {
  for (auto& pair : pairs) pair->advance(now);
}

void CardCore::Impl::apply_hold(Ticks t) {
  const bool hold = !powered || reset_asserted || registers.holds_components();
  card.block_lock_enable = registers.block_lock_enable();
  if (hold == held) return;
  held = hold;
  for (auto& pair : pairs) {
    if (hold) {
      pair->hold(t);
    } else {
      pair->release(t);
    }
  }
}

void CardCore::Impl::apply_vpp(Ticks t) {
  if (!registers.generator_enabled()) {
    card.vpp.generator_valid_at = kNever;
  } else if (!card.vpp.generator) {
    card.vpp.generator_valid_at = t + card.spec.timing.generator_rise;
  }
  card.vpp.generator = registers.generator_enabled();
  const VppSource leaking = card.vpp.pin         ? VppSource::socket
                            : card.vpp.generator ? VppSource::generator
                                                 : VppSource::none;
  card.idle.set_vpp(t, leaking);
  if (card.vpp.valid(t)) return;
  for (auto& pair : pairs) pair->lose_vpp(t);
}

std::uint8_t CardCore::Impl::read_register(Ticks t, std::uint32_t address) const {
  switch (address) {
    case cmr::kConfigurationOption:
      return registers.option;
    case cmr::kConfigurationStatus:
      return registers.status;
    case cmr::kCardStatus:
      return registers.card_status(line.all_ready(t), protect_switch);
    case cmr::kWriteProtection:
      return registers.protection;
    case cmr::kVoltageControl: {
      std::uint8_t value = registers.voltage;
      if (card.spec.vcc == Voltage::v3_3) value |= cmr::kVoltageIs3V3;
      if (card.vpp.valid(t)) value |= cmr::kVoltageVppValid;
      return value;
    }
    case cmr::kReadyBusyMode: {
      if (!line.high_performance()) return cmr::kReadyAcknowledge;
      return cmr::kReadyHighPerformance | (line.level(t) ? cmr::kReadyAcknowledge : 0);
    }
    default:
      return 0xFF;
  }
}

void CardCore::Impl::write_register(Ticks t, std::uint32_t address, std::uint8_t value) {
  switch (address) {
    case cmr::kConfigurationOption:
      if ((value & cmr::kOptionSreset) != 0 && !registers.soft_reset()) {
        registers.reset();
        line.set_high_performance(false);
      }
      registers.option = value;
      break;
    case cmr::kConfigurationStatus:
      registers.status = value & cmr::kStatusPowerDown;
      break;
    case cmr::kWriteProtection:
      registers.protection = value & (cmr::kProtectBlockLockEnable | cmr::kProtectCommon | cmr::kProtectCis);
      break;
    case cmr::kVoltageControl:
      registers.voltage = value & cmr::kVoltageVppEnable;
      break;
    case cmr::kReadyBusyMode: {
      const bool high_performance = (value & cmr::kReadyHighPerformance) != 0;
      if (high_performance && (value & cmr::kReadyAcknowledge) == 0) line.acknowledge(t);
      line.set_high_performance(high_performance);
      return;
    }
    default:
      return;  // read-only or not there
  }
  apply_vpp(t);
  apply_hold(t);
}

CardCore::CardCore(const CardSpec& spec, const CardCoreOptions& options)
    : impl_(std::make_unique<Impl>(spec, options)) {}

CardCore::~CardCore() = default;

void CardCore::renew() {
  const CardSpec spec = impl_->card.spec;
  const CardCoreOptions options = impl_->options;
  WearModel wear = std::move(impl_->card.wear);
  Medium medium = std::move(impl_->card.medium);
  wear.renew();
  medium.erase(Lanes::both, 0, spec.capacity_bytes() / 2);
  // In place: what was handed out of it stays where it is.
  std::destroy_at(impl_.get());
  std::construct_at(impl_.get(), spec, options, std::move(wear), std::move(medium));
}

bool CardCore::ready(Ticks now) const { return impl_->line.level(now); }

Ticks CardCore::next_ready_edge(Ticks now) const { return impl_->line.next_edge(now); }

Ticks CardCore::next_ready_change(Ticks now) const { return impl_->line.next_change(now); }

Ticks CardCore::next_status_change(Ticks now) const {
  const Ticks vpp = impl_->card.vpp.generator_valid_at;
  Ticks next = vpp > now ? vpp : kNever;
  for (const auto& pair : impl_->pairs) next = std::min(next, pair->next_status_change(now));
  return std::min(next, next_ready_change(now));
}

void CardCore::settle(Ticks now) { impl_->settle(now); }

void CardCore::set_vpp_pin(Ticks now, bool on) {
  impl_->settle(now);
  impl_->card.vpp.pin = on;
  impl_->apply_vpp(now);
}

void CardCore::set_write_protect_switch(bool on) { impl_->protect_switch = on; }

void CardCore::reset_pin(Ticks now, bool asserted) {
  impl_->settle(now);
  impl_->reset_asserted = asserted;
  if (asserted) {
    impl_->registers.reset();
    impl_->line.set_high_performance(false);
  }
  impl_->apply_vpp(now);
  impl_->apply_hold(now);
}

void CardCore::power_cut(Ticks now) {
  if (!impl_->powered) return;
  impl_->settle(now);
  impl_->powered = false;
  impl_->registers.reset();
  impl_->line.set_high_performance(false);
  impl_->apply_hold(now);
  impl_->card.vpp.pin = false;
  impl_->apply_vpp(now);
  impl_->card.idle.move(now, IdleState::sleep, IdleState::off, spec().pairs * 2);
}

void CardCore::power_up(Ticks now) {
  if (impl_->powered) return;
  impl_->powered = true;
  impl_->card.idle.move(now, IdleState::off, IdleState::sleep, spec().pairs * 2);
  for (auto& pair : impl_->pairs) pair->scramble_buffers();
  impl_->apply_hold(now);
}

const AccessTotals& CardCore::access_totals() const { return impl_->card.accesses.totals(); }

StateEnergy CardCore::state_energy(Ticks until) const { return impl_->card.idle.until(until); }

const CardSpec& CardCore::spec() const { return impl_->card.spec; }

std::uint32_t CardCore::erase_count(std::uint32_t segment) const {
  const WearModel& wear = impl_->card.wear;
  return std::max(wear.cells(segment, 0).cycles, wear.cells(segment, 1).cycles);
}

std::uint32_t CardCore::endurance_limit(std::uint32_t segment) const {
  const WearModel& wear = impl_->card.wear;
  return std::min(wear.cells(segment, 0).limit, wear.cells(segment, 1).limit);
}

bool CardCore::locked(std::uint32_t segment) const {
  const WearModel& wear = impl_->card.wear;
  return wear.cells(segment, 0).locked && wear.cells(segment, 1).locked;
}

void CardCore::peek(std::uint32_t address, std::span<std::byte> into) const { impl_->card.medium.read(address, into); }

void CardCore::poke(std::uint32_t address, std::span<const std::byte> from) { impl_->card.medium.poke(address, from); }

}  // namespace ftlab::hw
