// One address window of a device on its TLM-2.0 socket: checks payloads, converts times, knows no family.
//
// Bus contract (base protocol, 16 bits wide; address_window.h says which accesses are legal):
//   address       byte offset in the window; beyond its end: address error.
//   command       read or write; anything else: command error.
//   data          a pointer and a length that is legal here; no pointer: generic error; other lengths: burst error.
//   streaming     at least the length, or 2 to repeat one address; anything else: burst error.
//   byte enables  none; any: byte enable error.
//   delay         in: the access begins at sc_time_stamp() + delay; out: plus the device's own cycle times.
//   BusPace       the master's cycle, on bursts.
// A refused transaction takes no time and changes nothing. Non-blocking transport completes at BEGIN_REQ.
// There is no direct memory: every cycle is timed and may start something.
// Debug transport sees the array by array address through a window that shows it, up to its end, and nothing else.
#pragma once

#include <tlm>

#include "hw/base/device_core.h"
#include "hw/shell/kernel_time.h"

namespace ftlab::hw {

class BusTarget final : public tlm::tlm_fw_transport_if<> {
 public:
  /// `accessed`: notified at the end of every access; may be null.
  BusTarget(DeviceCore& core, AddressWindow& window, sc_core::sc_event* accessed)
      : core_(core), window_(window), accessed_(accessed) {}

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override;
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;

 private:
  /// Of more than one cycle.
  BusError burst(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay, Ticks now, std::uint32_t address);

  DeviceCore& core_;
  AddressWindow& window_;
  sc_core::sc_event* accessed_;
  const sc_core::sc_time& kernel_now_ = sc_core::sc_time_stamp();  ///< the kernel's own, which it moves on
  TimeMemo read_time_;
  TimeMemo write_time_;
  TimeMemo burst_time_;  ///< apart, since bursts last differently long and would push out the single cycles
};

}  // namespace ftlab::hw
