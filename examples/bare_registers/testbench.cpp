#include "testbench.h"

#include <cstdio>
#include <vector>

#include "common/units.h"
#include "hw/regs/series2plus_regs.h"

namespace regs = ftlab::hw::series2plus;
using regs::doubled;

namespace {
constexpr std::uint32_t kSegment = 3 * 128 * 1024;
}

Testbench::Testbench(sc_core::sc_module_name name, Meter& meter)
    : sc_module(name), common("common"), attribute("attribute"), ready("ready"), meter_(meter) {
  SC_HAS_PROCESS(Testbench);
  SC_THREAD(program);
}

void Testbench::program() {
  std::printf("%-34s %8s %14s %14s\n", "step", "status", "time", "energy");
  identify();
  switch_vpp_on();
  erase(kSegment);

  std::vector<std::byte> data(512);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = std::byte(i * 37 + 11);
  program_buffer(kSegment, data);
  verify(kSegment, data);

  // Programming only clears bits: a second one gives the AND of both.
  const std::vector<std::byte> mask(512, std::byte{0x0F});
  program_buffer(kSegment, mask);
  for (std::byte& byte : data) byte &= std::byte{0x0F};
  verify(kSegment, data);
  std::printf("%s\n", passed_ ? "data as written" : "FAILED");
  sc_core::sc_stop();
}

void Testbench::identify() {
  step("read identifier", [this] {
    write16(0, doubled(regs::command::kReadIdentifier));
    const std::uint16_t manufacturer = read16(0);
    const std::uint16_t device = read16(2);
    write16(0, doubled(regs::command::kReadArray));
    require(manufacturer == 0x8989 && device == 0xA0A0, "identifier of two 28F016SA");
    return device;
  });
}

void Testbench::switch_vpp_on() {
  step("switch Vpp generator on", [this] {
    write_register(regs::cmr::kVoltageControl, regs::cmr::kVoltageVppEnable);
    while ((read_register(regs::cmr::kVoltageControl) & regs::cmr::kVoltageVppValid) == 0) {
      wait(sc_core::sc_time(100, sc_core::SC_US));
    }
    return read_register(regs::cmr::kVoltageControl);
  });
}

void Testbench::erase(std::uint32_t address) {
  step("erase segment", [this, address] {
    write16(address, doubled(regs::command::kErase));
    write16(address, doubled(regs::command::kConfirm));
    // The ready line is low while any pair works; status, not data, is what a read shows now.
    require((read16(address) & doubled(regs::csr::kReady)) == 0, "busy after the confirmation");
    wait(ready.posedge_event());
    const std::uint16_t status = read16(address);
    write16(address, doubled(regs::command::kReadArray));
    require(status == doubled(regs::csr::kReady), "ready without error bits");
    return status;
  });
}

void Testbench::program_buffer(std::uint32_t address, std::span<const std::byte> data) {
  step("program 512 bytes by page buffer", [this, address, data] {
    const std::uint32_t segment = address & ~(128U * 1024 - 1);
    const std::uint16_t count = doubled(static_cast<std::uint8_t>(data.size() / 2 - 1));
    write16(segment, doubled(regs::command::kReadExtendedStatus));
    require((read16(segment + regs::offset::kGsr) & doubled(regs::gsr::kPageBufferAvailable)) != 0, "a free buffer");
    write16(address, doubled(regs::command::kSequentialLoad));
    write16(address, count);
    write16(address, 0);
    std::vector<std::byte> copy(data.begin(), data.end());
    access(common, tlm::TLM_WRITE_COMMAND, address, copy);
    write16(address, doubled(regs::command::kPageBufferWrite));
    write16(address, count);
    write16(address, 0);
    wait(ready.posedge_event());
    write16(segment, doubled(regs::command::kReadExtendedStatus));
    const std::uint16_t status = read16(segment + regs::offset::kBsr);
    write16(segment, doubled(regs::command::kReadArray));
    require((status & doubled(regs::bsr::kReady | regs::bsr::kFailed)) == doubled(regs::bsr::kReady), "no failure");
    return status;
  });
}

void Testbench::verify(std::uint32_t address, std::span<const std::byte> expected) {
  step("read 512 bytes", [this, address, expected] {
    std::vector<std::byte> data(expected.size());
    access(common, tlm::TLM_READ_COMMAND, address, data);
    require(std::equal(data.begin(), data.end(), expected.begin()), "data as programmed");
    return 0U;
  });
}

void Testbench::step(const char* name, const std::function<unsigned()>& body) {
  const sc_core::sc_time begun = sc_core::sc_time_stamp();
  const ftlab::Picojoules before = meter_.energy();
  const unsigned status = body();
  const double us = (sc_core::sc_time_stamp() - begun).to_seconds() * 1e6;
  const double uj = ftlab::to_joules(meter_.energy() - before) * 1e6;
  std::printf("%-34s %7Xh %11.2f us %11.3f uJ\n", name, status, us, uj);
}

void Testbench::require(bool holds, const char* what) {
  if (holds) return;
  std::printf("FAILED: expected %s\n", what);
  passed_ = false;
}

void Testbench::access(Socket& socket, tlm::tlm_command command, std::uint32_t address, std::span<std::byte> data) {
  tlm::tlm_generic_payload payload;
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(data.data()));
  payload.set_data_length(static_cast<unsigned>(data.size()));
  payload.set_streaming_width(static_cast<unsigned>(data.size()));
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  socket->b_transport(payload, delay);
  require(payload.is_response_ok(), "an access that the card can answer");
  wait(delay);
}

std::uint16_t Testbench::read16(std::uint32_t address) {
  std::byte value[2];
  access(common, tlm::TLM_READ_COMMAND, address, value);
  return static_cast<std::uint16_t>(std::to_integer<unsigned>(value[0]) | (std::to_integer<unsigned>(value[1]) << 8));
}

void Testbench::write16(std::uint32_t address, std::uint16_t value) {
  std::byte bytes[2] = {std::byte(value & 0xFFU), std::byte(value >> 8)};
  access(common, tlm::TLM_WRITE_COMMAND, address, bytes);
}

std::uint8_t Testbench::read_register(std::uint32_t address) {
  std::byte value{};
  access(attribute, tlm::TLM_READ_COMMAND, address, {&value, 1});
  return std::to_integer<std::uint8_t>(value);
}

void Testbench::write_register(std::uint32_t address, std::uint8_t value) {
  std::byte byte{value};
  access(attribute, tlm::TLM_WRITE_COMMAND, address, {&byte, 1});
}
