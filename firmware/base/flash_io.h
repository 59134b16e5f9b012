// Runs operations on a FlashPort, one at a time and each to its end. Knows no tables and no format. `corrected` reads
// are reported as ok; corrected_bits() says how near a loss was.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/port/flash_port.h"

namespace ftlab {

class FlashIo {
 public:
  explicit FlashIo(FlashPort& port) : port_(port) {}

  FlashStatus read(std::uint32_t segment, std::uint32_t offset, std::span<std::byte> into) {
    return read_page(segment, offset, into.data(), static_cast<std::uint32_t>(into.size()), nullptr);
  }
  FlashStatus erase(std::uint32_t segment) { return run({.kind = FlashOpKind::erase, .segment = SegmentId{segment}}); }
  /// Parts with spare bytes. Read: length 0 and spare_into alone, or either, or both; within one page.
  FlashStatus read_page(std::uint32_t segment, std::uint32_t offset, std::byte* into, std::uint32_t length,
                        void* spare_into) {
    return run({.kind = FlashOpKind::read,
                .segment = SegmentId{segment},
                .offset = offset,
                .length = length,
                .into = into,
                .spare_into = static_cast<std::byte*>(spare_into)});
  }
  /// One whole page with its spare bytes.
  FlashStatus program_page(std::uint32_t segment, std::uint32_t offset, const void* from, std::uint32_t length,
                           const void* spare_from) {
    return run({.kind = FlashOpKind::program,
                .segment = SegmentId{segment},
                .offset = offset,
                .length = length,
                .from = static_cast<const std::byte*>(from),
                .spare_from = static_cast<const std::byte*>(spare_from)});
  }
  /// check_bad or mark_bad.
  FlashStatus mark(FlashOpKind kind, std::uint32_t segment) {
    return run({.kind = kind, .segment = SegmentId{segment}});
  }
  /// Most bit errors in one ECC sector that the last call corrected; kRecovered after a recovery read.
  [[nodiscard]] std::uint8_t corrected_bits() const { return corrected_bits_; }

 private:
  FlashStatus run(const FlashOp& op) {
    FlashDone done;
    const bool taken = port_.submit({&op, 1}) == 1;
    if (!taken || port_.reap({&done, 1}, true) == 0) done.status = FlashStatus::timeout;
    const bool corrected = done.status == FlashStatus::corrected;
    corrected_bits_ = corrected ? done.corrected_bits : std::uint8_t{0};
    return corrected ? FlashStatus::ok : done.status;
  }

  FlashPort& port_;
  std::uint8_t corrected_bits_ = 0;
};

}  // namespace ftlab
