// A device as a SystemC module: a target socket for each address window, a line and a time hint around a core.
// The one TLM face of all families. Holds no behaviour of a part and never knows why an operation happens.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <systemc>
#include <tlm>
#include <utility>
#include <vector>

#include "hw/base/device_core.h"
#include "hw/base/device_options.h"
#include "hw/shell/bus_target.h"
#include "hw/shell/line_driver.h"

namespace ftlab::hw {

/// Whether the kernel sees every edge of the line, or masters ask the time hint instead.
enum class LineStyle : std::uint8_t { asked, driven };

class DeviceShell : public sc_core::sc_module {
 public:
  using Socket = tlm::tlm_target_socket<16>;

  /// `core` outlives the module's last access. The kernel's time resolution has to be that of Ticks.
  DeviceShell(sc_core::sc_module_name name, DeviceCore& core, LineStyle style);
  ~DeviceShell() override;

  sc_core::sc_out<bool> line;           ///< RDY/BSY#, INT or whatever the part calls it
  sc_core::sc_export<TimeHintIf> hint;  ///< for loosely timed masters

  /// The socket of a window; a name that the device does not have stops the program.
  [[nodiscard]] Socket& window(std::string_view name);
  /// To be called when the core has lost its supply or got it back, as no access tells: a driven line follows.
  void supply_changed() { driver_->look(); }

 private:
  struct Window;
  std::unique_ptr<LineDriver> driver_;
  std::vector<std::unique_ptr<Window>> windows_;
};

/// A part of a family: the shell around a core of its own.
template <class Core>
class DeviceModule final : public DeviceShell {
 public:
  DeviceModule(sc_core::sc_module_name name, const typename Core::Spec& spec, const DeviceOptions& options = {},
               LineStyle style = LineStyle::asked)
      : DeviceModule(name, std::make_unique<Core>(spec, options), style) {}

  [[nodiscard]] Core& core() { return *own_core_; }
  [[nodiscard]] const Core& core() const { return *own_core_; }

 private:
  DeviceModule(sc_core::sc_module_name name, std::unique_ptr<Core> core, LineStyle style)
      : DeviceShell(name, *core, style), own_core_(std::move(core)) {}

  std::unique_ptr<Core> own_core_;
};

}  // namespace ftlab::hw
