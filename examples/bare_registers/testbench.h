// A bus master that works through a register program on the card: what a person with a logic analyser would try first.
// Knows the card's sockets and ready line; no driver, no translation layer.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <systemc>

#include "hw/base/observer.h"

/// Adds up what the card reports of its operations.
class Meter : public ftlab::hw::DeviceObserver {
 public:
  void on_start(ftlab::hw::DeviceOp&) override {}
  void on_end(const ftlab::hw::DeviceOp& op) override {
    energy_ += op.energy;
    last_ = op;
  }
  void on_access(const ftlab::hw::DeviceOp& op) override { energy_ += op.energy; }

  [[nodiscard]] ftlab::Picojoules energy() const { return energy_; }
  [[nodiscard]] const ftlab::hw::DeviceOp& last() const { return last_; }

 private:
  ftlab::Picojoules energy_;
  ftlab::hw::DeviceOp last_;
};

class Testbench : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Testbench, 16> common;
  tlm_utils::simple_initiator_socket<Testbench, 16> attribute;
  sc_core::sc_in<bool> ready;

  Testbench(sc_core::sc_module_name name, Meter& meter);
  [[nodiscard]] bool passed() const { return passed_; }

 private:
  using Socket = tlm_utils::simple_initiator_socket<Testbench, 16>;

  void program();
  void identify();
  void switch_vpp_on();
  void erase(std::uint32_t address);
  void program_buffer(std::uint32_t address, std::span<const std::byte> data);
  void verify(std::uint32_t address, std::span<const std::byte> expected);
  /// Prints status, elapsed time and energy of a step.
  void step(const char* name, const std::function<unsigned()>& body);
  void require(bool holds, const char* what);

  /// One transaction: 1 byte = an 8-bit cycle, an even size = 16-bit cycles at ascending addresses. Time passes.
  void access(Socket& socket, tlm::tlm_command command, std::uint32_t address, std::span<std::byte> data);
  std::uint16_t read16(std::uint32_t address);
  void write16(std::uint32_t address, std::uint16_t value);
  std::uint8_t read_register(std::uint32_t address);
  void write_register(std::uint32_t address, std::uint8_t value);

  Meter& meter_;
  bool passed_ = true;
};
