// The window of a Flex-OneNAND: registers, commands and their ends, DataRAM.
// Knows what a register is for; nothing of what a sequence of commands does.
//
// Invariant: selected_ is the die whose DataRAM and status the window shows (DBS).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/driver/onenand/config.h"
#include "firmware/driver/onenand/place.h"
#include "firmware/port/mmio_port.h"

namespace ftlab {

class OneNandBus {
 public:
  OneNandBus(MmioPort& port, const OneNandDriverConfig& config) : port_(port), config_(config) {}

  [[nodiscard]] std::uint16_t read16(std::uint32_t address) { return port_.read16(address); }
  void write16(std::uint32_t address, std::uint16_t value) { port_.write16(address, value); }
  /// After a reset of the registers die 0 is selected.
  void selected_by_reset();

  void select(std::uint16_t die);
  /// Segment and die of the commands that follow.
  void address(const OneNandPlace& place);
  /// The page, too.
  void address_page(const OneNandPlace& place);
  void command(std::uint16_t code);
  /// Until one of the bits is set in the interrupt register of the selected die, which a command clears.
  WaitResult await(std::uint16_t bits, DriverWait how, std::uint64_t poll_ns, std::uint64_t deadline_ns);
  WaitResult await(std::uint16_t bits, DriverWait how, std::uint64_t poll_ns) {
    return await(bits, how, poll_ns, config_.deadline_ns);
  }
  /// Of the selected die: until no array operation is under way, behind a cached program either.
  WaitResult await_idle();
  /// Core reset of the addressed die: ends whatever it does, and special access. false: it stayed busy.
  bool reset_core();
  /// Whether the protection register, which shows the addressed segment, says so.
  bool unlocked(const OneNandPlace& place);

  // DataRAM of the selected die, and its ECC status registers.
  void read_main(std::uint32_t offset, std::span<std::byte> into);
  void read_spare(OneNandSpare& into);
  void write_main(std::span<const std::byte> from);
  /// Main area of FFh.
  void blank_main();
  void write_spare(const OneNandSpare& from);
  void read_ecc_status(std::span<std::byte> into);

  [[nodiscard]] const OneNandDriverConfig& config() const { return config_; }

 private:
  MmioPort& port_;
  const OneNandDriverConfig& config_;
  std::uint16_t selected_ = 0;
};

}  // namespace ftlab
