// Residence time per state times its power.
#include "hw/series2plus/bus/state_energy.h"

#include <algorithm>

#include "hw/base/energy.h"

namespace ftlab::hw {
namespace {

constexpr std::size_t index_of(IdleState state) { return static_cast<std::size_t>(state); }
constexpr std::size_t index_of(VppSource source) { return static_cast<std::size_t>(source); }

}  // namespace

StateEnergyMeter::StateEnergyMeter(const CardSpec& spec) : power_(spec.power), components_(spec.pairs * 2) {
  idle_[index_of(IdleState::standby)].components = components_;
}

void StateEnergyMeter::move(Ticks now, IdleState from, IdleState to, std::uint32_t components) {
  pass(now);
  idle_[index_of(from)].components -= components;
  idle_[index_of(to)].components += components;
}

void StateEnergyMeter::set_vpp(Ticks now, VppSource source) {
  pass(now);
  vpp_ = source;
}

void StateEnergyMeter::pass(Ticks now) {
  const Ticks t = std::max(now, last_);
  for (Residence& state : idle_) state.component_time += TickSum{t - last_} * state.components;
  vpp_time_[index_of(vpp_)] += t - last_;
  last_ = t;
}

StateEnergy StateEnergyMeter::until(Ticks t) const {
  StateEnergyMeter trial = *this;
  trial.pass(t);
  StateEnergy energy;
  energy.standby = long_energy_of(power_.standby_nw, trial.idle_[index_of(IdleState::standby)].component_time);
  energy.sleep = long_energy_of(power_.sleep_nw, trial.idle_[index_of(IdleState::sleep)].component_time);
  const auto& leak = power_.vpp_standby_nw;
  energy.vpp = long_energy_of(leak.socket * components_, trial.vpp_time_[index_of(VppSource::socket)]) +
               long_energy_of(leak.generator * components_, trial.vpp_time_[index_of(VppSource::generator)]);
  return energy;
}

}  // namespace ftlab::hw
