// Modes of the bus from system configuration 1, and the observer's view of accesses.
#include "hw/onenand/bus/bus_meter.h"

namespace ftlab::hw {

namespace config = flexonenand::config;

void BusMeter::configure(std::uint16_t value) {
  constexpr std::array<std::int64_t, 8> kBurstWords{0, 4, 8, 16, 32, 1024, 0, 0};
  const bool sync_read = (value & config::kSyncRead) != 0;
  const bool sync_write = sync_read && (value & config::kSyncWrite) != 0;
  const std::uint16_t field = (value & config::kLatencyMask) >> config::kLatencyShift;
  const std::int64_t latency = field < 3 ? field + 8 : field;
  Mode sync;
  sync.word = spec_.bus.sync_clock;
  sync.burst = spec_.bus.sync_setup + spec_.bus.sync_clock * latency;
  sync.burst_words = kBurstWords[(value & config::kBurstMask) >> config::kBurstShift];
  read_ = sync_read ? sync : Mode{.word = spec_.bus.async_read};
  write_ = sync_write ? sync : Mode{.word = spec_.bus.async_write};
  read_.power_uw = sync_read ? spec_.power.sync_read_uw : spec_.power.async_read_uw;
  write_.power_uw = sync_write ? spec_.power.sync_write_uw : spec_.power.async_write_uw;
  for (Mode* const mode : {&read_, &write_}) {
    mode->single = time(*mode, 1, false);
    mode->single_energy = energy_of(mode->power_uw, mode->single);
  }
}

void BusMeter::report(DeviceOpKind kind, std::uint32_t die, std::uint32_t address, std::uint32_t bytes, Ticks now,
                      Ticks busy, Picojoules energy) {
  DeviceOp op;
  op.kind = kind;
  op.device = die;
  op.address = address;
  op.bytes = bytes;
  op.start = now;
  op.busy = busy;
  op.end = now + busy;
  op.energy = energy;
  observer_->on_access(op);
}

}  // namespace ftlab::hw
