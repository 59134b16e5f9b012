#include "platform/machine/core/board_devices.h"

#include <string>

#include "hw/shell/kernel_time.h"

namespace ftlab::platform {

BoardDevices::Device::Device(std::uint32_t at, RegisterTarget& registers, bool tells_something, QuietBackward& backward)
    : base(at),
      bytes(registers.window_bytes()),
      target(registers),
      tells(tells_something),
      socket((std::string(registers.basename()) + "_socket").c_str()) {
  socket.bind(backward);
  socket.bind(registers.socket);
}

void BoardDevices::add(std::uint32_t base, RegisterTarget& target, bool tells) {
  devices_.push_back(std::make_unique<Device>(base, target, tells, backward_));
}

BoardDevices::Device* BoardDevices::find(std::uint32_t address) const {
  for (const auto& device : devices_)
    if (address - device->base < device->bytes) return device.get();
  return nullptr;
}

bool BoardDevices::transport(Device& device, const Access& access) {
  payload_.set_command(access.command);
  payload_.set_address(access.address - device.base);
  payload_.set_data_ptr(reinterpret_cast<unsigned char*>(access.value));
  payload_.set_data_length(access.size);
  payload_.set_streaming_width(access.size);
  payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time delay = hw::to_sc_time(access.begun - access.kernel_now);
  device.socket->b_transport(payload_, delay);
  return payload_.get_response_status() == tlm::TLM_OK_RESPONSE;
}

}  // namespace ftlab::platform
