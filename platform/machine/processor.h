// The processor that runs the firmware, as devices and the books see it: bus windows by name, the line that wakes it,
// its clock. Knows no firmware: one that executes C++ natively and one that interprets instructions look the same.
#pragma once

#include <string_view>
#include <systemc>
#include <tlm>

#include "common/units.h"
#include "hw/shell/time_hint.h"

namespace ftlab::platform {

/// A part binds the windows it has; the others stay unbound.
using WindowSocket = tlm::tlm_initiator_socket<16, tlm::tlm_base_protocol_types, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;

class Processor : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> ready{"ready"};            ///< the device's line: high when it has finished
  sc_core::sc_port<hw::TimeHintIf> hint{"hint"};  ///< the device's next edges, so that waiting needs no polling

  /// `name`: "common", "attribute" or "data". Throws std::logic_error for another one.
  virtual WindowSocket& window(std::string_view name) = 0;
  [[nodiscard]] virtual Ticks now() const = 0;
  /// After sc_start: throws what the firmware threw (an exception must not cross the kernel's coroutines).
  virtual void rethrow_error() const = 0;

 protected:
  explicit Processor(sc_core::sc_module_name name) : sc_module(name) {}
};

}  // namespace ftlab::platform
