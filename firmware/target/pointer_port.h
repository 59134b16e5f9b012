// MmioPort over a memory-mapped window: plain loads and stores. The low byte of a 16-bit cell lies at the even address,
// whatever the order of the core.
// Knows the board's clock for waiting; nothing of what answers at the other end.
#pragma once

#include <cstdint>

#include "firmware/base/little_endian.h"
#include "firmware/port/mmio_port.h"

namespace ftlab::target {

class PointerPort final : public MmioPort {
 public:
  /// Copies of so many bytes and more are faster by DMA.
  static constexpr std::size_t kMinByDma = 32;

  /// `dma`: moves such copies.
  PointerPort(std::uintptr_t base, bool dma) : base_(base), dma_(dma) {}

  std::uint8_t read8(std::uint32_t address) override { return cell8(address); }
  void write8(std::uint32_t address, std::uint8_t value) override { cell8(address) = value; }
  std::uint16_t read16(std::uint32_t address) override { return little_endian<std::uint16_t>(cell16(address)); }
  void write16(std::uint32_t address, std::uint16_t value) override { cell16(address) = little_endian(value); }
  void copy_from(std::uint32_t address, std::span<std::byte> into) override;
  void copy_to(std::uint32_t address, std::span<const std::byte> from) override;
  /// sleep and ready_interrupt halt the core between reads; every interrupt, the timer's included, reads again.
  WaitResult wait_until(const WaitSpec& spec) override;
  void delay_ns(std::uint64_t ns) override;

 private:
  [[nodiscard]] volatile std::uint8_t& cell8(std::uint32_t address) const {
    return *reinterpret_cast<volatile std::uint8_t*>(base_ + address);
  }
  [[nodiscard]] volatile std::uint16_t& cell16(std::uint32_t address) const {
    return *reinterpret_cast<volatile std::uint16_t*>(base_ + address);
  }

  std::uintptr_t base_;
  bool dma_;
};

}  // namespace ftlab::target
