// What every SystemC shell of a device core needs: kernel time, and a core's answers as TLM responses.
#pragma once

#include <systemc>
#include <tlm>

#include "common/units.h"
#include "hw/base/bus_result.h"

namespace ftlab::hw {

// Ticks and kernel time have the same resolution, so conversion is a copy of the count.
inline sc_core::sc_time to_sc_time(Ticks t) {
  return sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(t.count()));
}
inline Ticks to_ticks(const sc_core::sc_time& t) { return Ticks{static_cast<std::int64_t>(t.value())}; }

inline tlm::tlm_response_status status_of(BusError error) {
  switch (error) {
    case BusError::none:
      return tlm::TLM_OK_RESPONSE;
    case BusError::misaligned:
      return tlm::TLM_BURST_ERROR_RESPONSE;
    case BusError::out_of_range:
      return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  return tlm::TLM_GENERIC_ERROR_RESPONSE;
}

}  // namespace ftlab::hw
