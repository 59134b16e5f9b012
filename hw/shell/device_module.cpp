#include "hw/shell/device_module.h"

#include <string>

namespace ftlab::hw {

struct DeviceShell::Window {
  Window(DeviceCore& core, AddressWindow& window, sc_core::sc_event* accessed)
      : target(core, window, accessed), socket(std::string(window.shape().name).c_str()), name(window.shape().name) {
    socket.bind(target);
  }

  BusTarget target;
  Socket socket;
  std::string_view name;
};

DeviceShell::DeviceShell(sc_core::sc_module_name name, DeviceCore& core, LineStyle style)
    : sc_core::sc_module(name), line("line"), hint("hint") {
  if (sc_core::sc_get_time_resolution() != sc_core::sc_time(100, sc_core::SC_PS)) {
    SC_REPORT_FATAL("ftlab/device", "time resolution must be 100 ps: call sc_set_time_resolution(100, SC_PS) first");
  }
  driver_ = std::make_unique<LineDriver>("line_driver", core, line, style == LineStyle::driven);
  hint.bind(*driver_);
  for (AddressWindow* window : core.windows()) {
    windows_.push_back(std::make_unique<Window>(core, *window, driver_->accessed()));
  }
}

DeviceShell::~DeviceShell() = default;

DeviceShell::Socket& DeviceShell::window(std::string_view name) {
  std::string text("no address window '");
  text.append(name).append("'; there are:");
  for (const auto& window : windows_) {
    if (window->name == name) return window->socket;
    text.append(" ").append(window->name);
  }
  SC_REPORT_FATAL("ftlab/device", text.c_str());
  return windows_.front()->socket;  // not reached
}

}  // namespace ftlab::hw
