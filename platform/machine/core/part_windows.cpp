#include "platform/machine/core/part_windows.h"

#include <algorithm>
#include <string>

#include "common/input_error.h"
#include "firmware/target/board.h"
#include "hw/shell/kernel_time.h"

namespace ftlab::platform {
namespace {

struct Place {
  std::string_view window;
  std::uint32_t base;
};
constexpr Place kPlaces[] = {{"common", target::kCommonWindow},
                             {"attribute", target::kAttributeWindow},
                             {"data", target::kDataWindow},
                             {"bus", target::kOneNandWindow}};

}  // namespace

class PartWindows::Window final : public sc_core::sc_module {
 public:
  Window(sc_core::sc_module_name label, std::uint32_t base_address, Ticks read, Ticks write, QuietBackward& backward)
      : sc_module(label), base(base_address), read_cycle(read), write_cycle(write) {
    socket.bind(backward);
  }

  WindowSocket socket{"socket"};
  const std::uint32_t base;
  const Ticks read_cycle;
  const Ticks write_cycle;
  tlm::tlm_fw_transport_if<>* target = nullptr;
};

PartWindows::PartWindows(const ProcessorProfile& profile) : profile_(profile) { burst_.set_extension(&pace_); }

// A payload would delete its extensions.
PartWindows::~PartWindows() { burst_.clear_extension(&pace_); }

WindowSocket& PartWindows::add(std::string_view name, BusCycle cycle) {
  const auto* place = std::ranges::find(kPlaces, name, &Place::window);
  if (place == std::end(kPlaces))
    throw InputError("the board of the firmware's image has no place for the window \"" + std::string(name) +
                     "\" of this part");
  const bool attribute = cycle == BusCycle::attribute;
  windows_.push_back(std::make_unique<Window>(
      std::string(name).c_str(), place->base, attribute ? profile_.attribute_cycle : profile_.bus_read_cycle,
      attribute ? profile_.attribute_cycle : profile_.bus_write_cycle, backward_));
  return windows_.back()->socket;
}

void PartWindows::connect() {
  for (const auto& window : windows_) window->target = window->socket.operator->();
}

PartWindows::Window* PartWindows::find(std::uint32_t address) const {
  for (const auto& window : windows_)
    if (address - window->base < target::kWindowBytes) return window.get();
  return nullptr;
}

bool PartWindows::transport(Window& window, const Access& access, Ticks& taken) {
  constexpr unsigned kCell = 2;
  const bool read = access.command == tlm::TLM_READ_COMMAND;
  const Ticks cycle = read ? window.read_cycle : window.write_cycle;
  tlm::tlm_generic_payload& payload = access.size > kCell ? burst_ : cell_;
  pace_.read_cycle = window.read_cycle;
  pace_.write_cycle = window.write_cycle;
  payload.set_command(access.command);
  payload.set_address(access.address - window.base);
  payload.set_data_ptr(static_cast<unsigned char*>(access.data));
  payload.set_data_length(access.size);
  payload.set_streaming_width(access.size);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time delay = hw::to_sc_time(access.begun - access.kernel_now);
  window.target->b_transport(payload, delay);
  if (payload.get_response_status() != tlm::TLM_OK_RESPONSE) return false;
  const Ticks device = access.kernel_now + hw::to_ticks(delay) - access.begun;
  taken = std::max(device, cycle * std::max(access.size / kCell, 1U));
  return true;
}

unsigned PartWindows::look(Window& window, std::uint32_t address, unsigned size, std::uint8_t* into) {
  tlm::tlm_generic_payload payload;
  payload.set_read();
  payload.set_data_ptr(into);
  payload.set_data_length(size);
  payload.set_address(address - window.base);
  return window.target->transport_dbg(payload);
}

}  // namespace ftlab::platform
