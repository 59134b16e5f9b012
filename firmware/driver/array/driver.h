// Drives the controller of a NAND array: identifies it, hands it descriptors, waits for its line. Knows its register
// map and nothing of pages' content. Allocates nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/driver/array/config.h"
#include "firmware/port/clock_port.h"
#include "firmware/port/flash_port.h"
#include "firmware/port/mmio_port.h"
#include "hw/regs/array_regs.h"

namespace ftlab {

enum class ArrayAttachStatus : std::uint8_t {
  ok,
  wrong_device,  ///< the window shows another magic number or version
  bad_geometry,  ///< segments do not divide over the dies, or there are too many pages
};

class ArrayDriver final : public FlashPort {
 public:
  /// `data`: the window of the buffers; null where the part keeps no bytes.
  ArrayDriver(MmioPort& registers, MmioPort* data, ClockPort& clock, const ArrayDriverConfig& config)
      : registers_(registers), data_(data), clock_(clock), config_(config) {}

  /// Before anything else.
  ArrayAttachStatus attach();

  [[nodiscard]] const FlashGeometry& geometry() const override { return geometry_; }
  void submit(std::span<const FlashOp> ops) override;
  std::size_t collect(std::span<FlashDone> done) override;
  void wait(std::uint64_t until_ns) override;
  void write_buffer(std::uint16_t buffer, std::uint32_t offset, std::span<const std::byte> from) override;
  void read_buffer(std::uint16_t buffer, std::uint32_t offset, std::span<std::byte> into) override;

 private:
  static constexpr std::size_t kAtOnce = 64;

  [[nodiscard]] std::uint32_t read32(std::uint32_t address);

  MmioPort& registers_;
  MmioPort* data_;
  ClockPort& clock_;
  ArrayDriverConfig config_;
  FlashGeometry geometry_;
  std::uint32_t readable_ = 0;  ///< completions that the last look at the status showed, and that were not read
};

}  // namespace ftlab
