// Samsung Flex-OneNAND as a SystemC module: a target socket and an interrupt line around OneNandCore.
// Holds no behaviour of the part (see onenand_core.h) and never knows why an operation happens.
//
// Bus contract (TLM-2.0 base protocol, blocking transport):
//   address = byte offset in the 128 KiB window (even); TLM_READ / TLM_WRITE; no byte enables.
//   data_length 2k       k 16-bit cycles at ascending addresses; streaming_width == 2 and a longer length repeats one
//                        address. There are no 8-bit cycles: any other length is a burst error.
//   delay                in: access begins at sc_time_stamp() + delay; out: plus the device's own cycle times.
//   Debug transport sees the main areas of the array (onenand_core.h), not the window.
#pragma once

#include <cstdint>
#include <memory>
#include <systemc>
#include <tlm>

#include "hw/base/device_observer.h"
#include "hw/onenand/onenand_spec.h"
#include "hw/shell/time_hint.h"

namespace ftlab::hw {

class OneNandCore;

struct FlexOneNandOptions {
  std::uint64_t seed = 1;              ///< endurance limits, bad segments, bit errors
  bool store_content = true;           ///< false: programmed main areas read as 00h, all else identical
  bool event_accurate = false;         ///< drive `interrupt` with kernel notifications
  DeviceObserver* observer = nullptr;  ///< not owned; may be null
  bool observe_accesses = true;        ///< false: bus accesses are only counted in core().access_totals()
};

class FlexOneNand : public sc_core::sc_module {
 public:
  tlm::tlm_target_socket<16> bus_target;
  sc_core::sc_out<bool> interrupt;      ///< INT pin, event-accurate mode
  sc_core::sc_export<TimeHintIf> hint;  ///< for loosely timed masters

  FlexOneNand(sc_core::sc_module_name name, const OneNandSpec& spec, const FlexOneNandOptions& options);
  ~FlexOneNand() override;

  /// Completes operations that end before `now` so that the observer has seen them.
  void settle(Ticks now);
  [[nodiscard]] OneNandCore& core();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ftlab::hw
