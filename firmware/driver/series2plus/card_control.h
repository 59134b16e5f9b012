// The card's own registers in attribute memory: write protection, programming voltage, ready summary.
// Knows component management registers; no component commands.
#pragma once

#include <cstdint>

#include "firmware/driver/series2plus/config.h"
#include "firmware/port/mmio_port.h"

namespace ftlab {

class CardControl {
 public:
  CardControl(MmioPort& attribute, const Series2PlusDriverConfig& config) : attribute_(attribute), config_(config) {}

  /// Takes back what other software may have left: soft reset, global power-down, high-performance ready mode.
  void wake();
  /// Waits until every component is ready; false: the erase deadline passed.
  bool wait_all_ready();
  /// Sets BLKEN as the configuration wants it.
  void apply_lock_policy();
  /// The mechanical switch or the common-memory protect bit holds writes off. A switch may move at any time.
  [[nodiscard]] bool write_protected();
  /// Makes sure of the programming voltage; remembers a good answer until forget_vpp().
  bool provide_vpp();
  /// The voltage was seen low: ask again before the next program or erase.
  void forget_vpp() { vpp_good_ = false; }
  void switch_vpp_off();

 private:
  void clear_bits(std::uint32_t address, std::uint8_t bits);

  MmioPort& attribute_;
  const Series2PlusDriverConfig& config_;
  bool vpp_good_ = false;
};

}  // namespace ftlab
