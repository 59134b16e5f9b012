// Energy that flows whatever the firmware does: standby and sleep power of the components, leakage of Vpp.
// Counts component-time per state; knows nothing of operations.
#pragma once

#include <array>
#include <cstdint>

#include "common/sums.h"
#include "hw/base/energy.h"
#include "hw/series2plus/spec/spec.h"

namespace ftlab::hw {

enum class IdleState : std::uint8_t { off, standby, sleep };
enum class VppSource : std::uint8_t { none, socket, generator };

class StateEnergyMeter {
 public:
  /// All components in standby at time zero, Vpp off.
  explicit StateEnergyMeter(const CardSpec& spec);

  void move(Ticks now, IdleState from, IdleState to, std::uint32_t components);
  void set_vpp(Ticks now, VppSource source);
  [[nodiscard]] StateEnergy until(Ticks t) const;

 private:
  struct Residence {
    TickSum component_time{};
    std::uint32_t components = 0;
  };
  /// Accesses of different masters may arrive slightly out of order; time never runs backwards here.
  void pass(Ticks now);

  const CardPower& power_;
  std::uint32_t components_;
  std::array<Residence, 3> idle_{};
  std::array<TickSum, 3> vpp_time_{};
  VppSource vpp_ = VppSource::none;
  Ticks last_{};
};

}  // namespace ftlab::hw
