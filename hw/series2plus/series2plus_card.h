// Intel Series 2+ flash memory card as a SystemC module: two target sockets and a ready line around CardCore.
// Holds no behaviour of the part (see card_core.h) and never knows why an operation happens.
//
// Bus contract, both sockets (TLM-2.0 base protocol, blocking transport):
//   address = byte offset in the window; TLM_READ / TLM_WRITE; no byte enables.
//   data_length 1        one 8-bit cycle; address bit 0 picks the lane (even: D7-0, odd: D15-8).
//   data_length 2k       k 16-bit cycles at ascending addresses (address even); streaming_width == 2 and a longer
//                        length repeats one address. A burst is its single cycles, nothing else.
//   extension BusPace    the master's cycle: cycles of a burst begin that far apart where it is longer than the card's.
//   delay                in: access begins at sc_time_stamp() + delay; out: plus the card's own cycle times.
//   The attribute window answers on even bytes only.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <systemc>
#include <tlm>

#include "hw/base/device_observer.h"
#include "hw/series2plus/card_spec.h"
#include "hw/shell/time_hint.h"

namespace ftlab::hw {

class CardCore;

struct CardOptions {
  std::uint64_t seed = 1;              ///< endurance limits, page-buffer garbage at power-up
  bool store_content = true;           ///< false: data reads as 0xFF, everything else identical
  bool event_accurate = false;         ///< drive `ready` and `ready_event` with kernel notifications
  DeviceObserver* observer = nullptr;  ///< not owned; may be null
  bool observe_accesses = true;        ///< false: bus accesses are only counted in core().access_totals()
};

class Series2PlusCard : public sc_core::sc_module {
 public:
  tlm::tlm_target_socket<16> common_target;
  tlm::tlm_target_socket<16> attribute_target;
  sc_core::sc_out<bool> ready;          ///< RDY/BSY#, event-accurate mode
  sc_core::sc_export<TimeHintIf> hint;  ///< for loosely timed masters

  Series2PlusCard(sc_core::sc_module_name name, const CardSpec& spec, const CardOptions& options);
  ~Series2PlusCard() override;

  /// Completes operations that end before `now` so that the observer has seen them.
  void settle(Ticks now);
  [[nodiscard]] CardCore& core();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ftlab::hw
