// Accesses registers of a device of the board over its socket, at a time.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>

#include "hw/shell/kernel_time.h"
#include "platform/machine/core/register_target.h"
#include "platform/machine/quiet_backward.h"

namespace ftlab::platform {

class BusMaster : public sc_core::sc_module {
 public:
  explicit BusMaster(sc_core::sc_module_name name, RegisterTarget& target) : sc_module(name) {
    socket_.bind(backward_);
    socket_.bind(target.socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }

  tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t offset, std::uint32_t& value,
                                  unsigned length = 4, Ticks at = {}) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(offset);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    payload.set_data_length(length);
    payload.set_streaming_width(length);
    const sc_core::sc_time before = hw::to_sc_time(at);
    sc_core::sc_time delay = before;
    socket_->b_transport(payload, delay);
    EXPECT_EQ(delay, before) << "an access takes no time of its own";
    return payload.get_response_status();
  }
  std::uint32_t read(std::uint32_t offset, Ticks at = {}) {
    std::uint32_t value = 0;
    EXPECT_EQ(access(tlm::TLM_READ_COMMAND, offset, value, 4, at), tlm::TLM_OK_RESPONSE) << offset;
    return value;
  }
  void write(std::uint32_t offset, std::uint32_t value, Ticks at = {}) {
    EXPECT_EQ(access(tlm::TLM_WRITE_COMMAND, offset, value, 4, at), tlm::TLM_OK_RESPONSE) << offset;
  }
  bool has(tlm::tlm_command command, std::uint64_t offset, unsigned length = 4) {
    std::uint32_t value = 0;
    return access(command, offset, value, length) == tlm::TLM_OK_RESPONSE;
  }

 private:
  QuietBackward backward_;
  tlm::tlm_initiator_socket<32> socket_{"socket"};
};

}  // namespace ftlab::platform
