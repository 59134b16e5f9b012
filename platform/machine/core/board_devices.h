// The board's devices at their addresses, each behind a TLM socket of its own. Knows their windows; neither what a
// register means nor what the core waits.
#pragma once

#include <cstdint>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "common/units.h"
#include "platform/machine/core/register_target.h"
#include "platform/machine/quiet_backward.h"

namespace ftlab::platform {

class BoardDevices {
 public:
  struct Device {
    Device(std::uint32_t at, RegisterTarget& registers, bool tells_something, QuietBackward& backward);

    std::uint32_t base;
    std::uint32_t bytes;
    const RegisterTarget& target;
    bool tells;  ///< firmware learns from it, or has it do something that will end
    tlm::tlm_initiator_socket<32> socket;
  };

  /// Inside the construction of a module.
  void add(std::uint32_t base, RegisterTarget& target, bool tells);
  /// Null: no device is there.
  [[nodiscard]] Device* find(std::uint32_t address) const;

  struct Access {
    tlm::tlm_command command = tlm::TLM_READ_COMMAND;
    std::uint32_t address = 0;  ///< of the core
    unsigned size = 0;          ///< bytes: 1, 2 or 4
    std::uint32_t* value = nullptr;
    Ticks begun{};
    Ticks kernel_now{};
  };
  /// False: the device has no such register.
  bool transport(Device& device, const Access& access);

 private:
  QuietBackward backward_;
  tlm::tlm_generic_payload payload_;
  std::vector<std::unique_ptr<Device>> devices_;
};

}  // namespace ftlab::platform
