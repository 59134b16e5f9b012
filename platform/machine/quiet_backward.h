// The way back of a processor's sockets, which nobody takes: no DMI is asked for and transport is blocking.
#pragma once

#include <systemc>
#include <tlm>

namespace ftlab::platform {

class QuietBackward final : public tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    SC_REPORT_FATAL("ftlab/bus", "non-blocking response to a blocking access");
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

}  // namespace ftlab::platform
