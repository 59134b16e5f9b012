// How a part driver reaches its device: a window of 8- and 16-bit cells, and ways to wait.
// On a target this is pointer access and an interrupt; in the simulator the platform turns it into bus transactions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ftlab {

enum class WaitStyle : std::uint8_t {
  spin,             ///< read again after poll_interval_ns, CPU busy
  sleep,            ///< give up the CPU for poll_interval_ns; the host's timer tick rounds the wake-up
  ready_interrupt,  ///< sleep until the device's ready/interrupt line rises, then read
};

/// A condition on one 16-bit cell: (value & mask) == expected.
struct WaitSpec {
  std::uint32_t address = 0;
  std::uint16_t mask = 0;
  std::uint16_t expected = 0;
  WaitStyle style = WaitStyle::spin;
  std::uint64_t poll_interval_ns = 0;  ///< for spin and sleep; for ready_interrupt the fallback poll (0 = none)
  std::uint64_t deadline_ns = 0;       ///< give up after this long
};

struct WaitResult {
  bool met = false;         ///< false: deadline passed
  std::uint16_t value = 0;  ///< last value read
};

/// One address window (common memory, attribute memory, register block, ...). Addresses are byte offsets.
class MmioPort {
 public:
  MmioPort() = default;
  MmioPort(const MmioPort&) = delete;
  MmioPort& operator=(const MmioPort&) = delete;

  virtual std::uint8_t read8(std::uint32_t address) = 0;
  virtual void write8(std::uint32_t address, std::uint8_t value) = 0;
  virtual std::uint16_t read16(std::uint32_t address) = 0;
  virtual void write16(std::uint32_t address, std::uint16_t value) = 0;

  /// 16-bit accesses at ascending addresses. address and size even. The same device state code as single accesses.
  virtual void copy_from(std::uint32_t address, std::span<std::byte> into) = 0;
  virtual void copy_to(std::uint32_t address, std::span<const std::byte> from) = 0;

  /// 16-bit writes to one address, in order: a command and its operands. The same as single accesses; a port that pays
  /// for each call may answer it as one burst.
  virtual void write16_sequence(std::uint32_t address, std::span<const std::uint16_t> values) {
    for (const std::uint16_t value : values) write16(address, value);
  }

  /// Reads first, then waits in the given style until the condition holds or the deadline passes.
  virtual WaitResult wait_until(const WaitSpec& spec) = 0;

  /// Busy delay.
  virtual void delay_ns(std::uint64_t ns) = 0;

 protected:
  ~MmioPort() = default;
};

}  // namespace ftlab
