// A bus master for tests of SystemC modules: one socket for each window of a part, its line and hint, and a script that
// runs as a kernel thread.
#pragma once

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <systemc>
#include <tlm>
#include <vector>

#include "hw/shell/device_module.h"
#include "hw/shell/kernel_time.h"

namespace ftlab::hw::testing {

using Bytes = std::vector<unsigned char>;

/// A payload that reads one word.
struct WordRead : tlm::tlm_generic_payload {
  WordRead(std::uint64_t address, unsigned char* data) {
    set_command(tlm::TLM_READ_COMMAND);
    set_address(address);
    set_data_ptr(data);
    set_data_length(2);
    set_streaming_width(2);
  }
};

class Master : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Master);
  using Socket = tlm_utils::simple_initiator_socket<Master, 16>;

  sc_core::sc_in<bool> line;
  sc_core::sc_port<TimeHintIf> hint;
  std::function<void()> script;
  bool finished = false;

  Master(sc_core::sc_module_name name, DeviceShell& part, DeviceCore& core)
      : sc_module(name), line("line"), hint("hint"), first_(core.windows().front()->shape().name) {
    for (AddressWindow* window : core.windows()) {
      const std::string window_name(window->shape().name);
      auto& socket = sockets_[window_name] = std::make_unique<Socket>(window_name.c_str());
      socket->bind(part.window(window_name));
    }
    part.line.bind(wire_);
    line.bind(wire_);
    hint.bind(part.hint);
    SC_THREAD(run);
  }

  /// The first window when no name is given.
  [[nodiscard]] Socket& window(std::string_view name = {}) {
    return *sockets_.at(std::string(name.empty() ? first_ : name));
  }

  /// `streaming` 0: as long as the data.
  tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t address, Bytes& data, sc_core::sc_time& delay,
                                  unsigned streaming = 0, std::string_view name = {}) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(data.data());
    payload.set_data_length(static_cast<unsigned>(data.size()));
    payload.set_streaming_width(streaming == 0 ? static_cast<unsigned>(data.size()) : streaming);
    window(name)->b_transport(payload, delay);
    return payload.get_response_status();
  }
  tlm::tlm_response_status read(std::uint64_t address, Bytes& data, sc_core::sc_time& delay, unsigned streaming = 0) {
    return access(tlm::TLM_READ_COMMAND, address, data, delay, streaming);
  }
  tlm::tlm_response_status write(std::uint64_t address, Bytes& data, sc_core::sc_time& delay, unsigned streaming = 0) {
    return access(tlm::TLM_WRITE_COMMAND, address, data, delay, streaming);
  }

  /// One word of the first window; waits for the bus time.
  void write16(std::uint64_t address, std::uint16_t value) {
    Bytes data{static_cast<unsigned char>(value & 0xFF), static_cast<unsigned char>(value >> 8)};
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    ASSERT_EQ(write(address, data, delay), tlm::TLM_OK_RESPONSE);
    wait(delay);
  }
  std::uint16_t read16(std::uint64_t address) {
    Bytes data(2);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    EXPECT_EQ(read(address, data, delay), tlm::TLM_OK_RESPONSE);
    wait(delay);
    return static_cast<std::uint16_t>(data[0] | data[1] << 8);
  }
  /// Two delta cycles: the driver of the line runs, then the line has its new level.
  static void let_line_follow() {
    sc_core::wait(sc_core::SC_ZERO_TIME);
    sc_core::wait(sc_core::SC_ZERO_TIME);
  }
  [[nodiscard]] static Ticks now() { return to_ticks(sc_core::sc_time_stamp()); }

 private:
  void run() {
    script();
    finished = true;
  }

  std::string_view first_;
  sc_core::sc_signal<bool> wire_{"wire"};
  std::map<std::string, std::unique_ptr<Socket>> sockets_;
};

/// Elaborates a part with a master and runs the script. Once in a process.
template <class Module>
void run_on(Module& part, const std::function<void(Master&)>& script) {
  Master master("master", part, part.core());
  master.script = [&] { script(master); };
  sc_core::sc_start();
  EXPECT_TRUE(master.finished);
}

}  // namespace ftlab::hw::testing
