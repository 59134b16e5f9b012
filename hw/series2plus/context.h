// What all components of a card share: parameters, cells, supply, random streams, observer.
#pragma once

#include <boost/random/taus88.hpp>
#include <cstdint>
#include <utility>

#include "common/units.h"
#include "hw/base/device_options.h"
#include "hw/base/random_stream.h"
#include "hw/series2plus/aging/wear_model.h"
#include "hw/series2plus/array/cell_bytes.h"
#include "hw/series2plus/bus/access_meter.h"
#include "hw/series2plus/bus/state_energy.h"
#include "hw/series2plus/spec/spec.h"

namespace ftlab::hw {

/// Where the programming voltage comes from, as the pins and the voltage control register have it.
struct VppSupply {
  bool pin = false;
  bool generator = false;
  Ticks generator_valid_at = kNever;

  [[nodiscard]] VppSource source(Ticks now) const {
    if (pin) return VppSource::socket;
    return generator && now >= generator_valid_at ? VppSource::generator : VppSource::none;
  }
  [[nodiscard]] bool valid(Ticks now) const { return source(now) != VppSource::none; }
};

struct CardContext {
  static constexpr std::uint32_t kPowerLossStream = 0x43555421;  // "CUT!"

  /// Cells and bytes as given.
  CardContext(const CardSpec& card, const DeviceOptions& options, WearModel cells, CellBytes bytes)
      : spec(card),
        wear(std::move(cells)),
        content(std::move(bytes)),
        accesses(spec, options.observe_accesses ? options.observer : nullptr),
        idle(spec),
        observer(options.observer),
        observe_begins(options.observe_begins),
        power_loss(make_stream(options.seed, {kPowerLossStream})) {}
  CardContext(const CardContext&) = delete;
  CardContext& operator=(const CardContext&) = delete;

  const CardSpec spec;
  WearModel wear;
  CellBytes content;
  AccessMeter accesses;
  StateEnergyMeter idle;
  DeviceObserver* observer;
  bool observe_begins;
  boost::random::taus88 power_loss;  ///< stream of half-done work and page-buffer garbage
  VppSupply vpp;
  bool block_lock_enable = true;  ///< WP# of the components: lock bits count
  /// Grows whenever work of a component may have begun or ended, or its output may show that otherwise.
  std::uint64_t work_changes = 0;
};

}  // namespace ftlab::hw
