// One address window of the firmware CPU: MmioPort calls become TLM transactions with the host's bus timing.
// Knows cycles and waiting styles; the clock itself belongs to NativeProcessor.
#pragma once

#include <tlm>

#include "common/units.h"
#include "firmware/port/mmio_port.h"
#include "hw/shell/bus_pace.h"

namespace ftlab::platform {

class NativeProcessor;

class BusWindow final : public MmioPort {
 public:
  BusWindow(NativeProcessor& cpu, Ticks read_cycle, Ticks write_cycle);
  ~BusWindow();
  BusWindow(const BusWindow&) = delete;
  BusWindow& operator=(const BusWindow&) = delete;

  std::uint8_t read8(std::uint32_t address) override;
  void write8(std::uint32_t address, std::uint8_t value) override;
  std::uint16_t read16(std::uint32_t address) override;
  void write16(std::uint32_t address, std::uint16_t value) override;
  void copy_from(std::uint32_t address, std::span<std::byte> into) override;
  void copy_to(std::uint32_t address, std::span<const std::byte> from) override;
  void write16_sequence(std::uint32_t address, std::span<const std::uint16_t> values) override;
  WaitResult wait_until(const WaitSpec& spec) override;
  void delay_ns(std::uint64_t ns) override;

  void bind(tlm::tlm_fw_transport_if<>& target) { target_ = &target; }

 private:
  /// Length of one bus cycle of the host's bridge, both as ticks and ready-made for the kernel.
  struct Cycle {
    explicit Cycle(Ticks t) : ticks(t), time(sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(t.count()))) {}
    Ticks ticks;
    sc_core::sc_time time;
  };

  /// One cycle of a word, in word_; time passes by the slower of host bridge and device.
  void transport_word(tlm::tlm_command command, std::uint32_t address, const Cycle& cycle);
  /// One transaction of `length` bytes; time passes by the slower of host bridge and device, cycle by cycle.
  /// `width`: bytes after which the address starts over.
  void transport(tlm::tlm_command command, std::uint32_t address, unsigned char* data, std::uint32_t length,
                 std::uint32_t width, const Cycle& cycle);
  /// `sampled`: when the last read looked at the device; a change may have come between then and the end of its cycle.
  void spin(const WaitSpec& spec, Ticks sampled, Ticks deadline);

  NativeProcessor& cpu_;
  tlm::tlm_fw_transport_if<>* target_ = nullptr;
  tlm::tlm_generic_payload payload_;
  tlm::tlm_generic_payload word_payload_;  ///< of nearly all transactions: only command and address change
  /// The simulated bus is little-endian, and so is every machine this runs on (asserted with the medium's format).
  std::uint16_t word_ = 0;
  hw::BusPace pace_;
  Cycle read_cycle_;
  Cycle write_cycle_;
};

}  // namespace ftlab::platform
