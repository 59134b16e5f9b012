// Runs operations on a FlashPort: chains that stop at the first failure, and erases left running in the background.
// Knows no tables and no format.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "firmware/port/flash_port.h"

namespace ftlab::fms {

class FlashIo {
 public:
  explicit FlashIo(FlashPort& port) : port_(port), chained_(port.capabilities().chained) {}

  /// Runs the operations in order; those after a failed one are not started. Returns the first failure.
  FlashStatus run(std::span<FlashOp> ops);
  FlashStatus read(std::uint32_t segment, std::uint32_t offset, std::byte* into, std::uint32_t length);
  FlashStatus program(std::uint32_t segment, std::uint32_t offset, const void* from, std::uint32_t length);
  FlashStatus erase(std::uint32_t segment);

  struct ErasedSegment {
    std::uint32_t segment = 0;
    FlashStatus status = FlashStatus::ok;
  };
  /// False when too many are under way already.
  bool start_erase(std::uint32_t segment);
  /// The next background erase that has ended; waits for one if asked and any is under way.
  std::optional<ErasedSegment> finished_erase(bool wait);
  [[nodiscard]] std::uint32_t erases_under_way() const { return under_way_; }

 private:
  static constexpr std::uint32_t kEraseTag = 0x80000000;
  static constexpr std::size_t kMaxErases = 8;

  FlashStatus run_submitted(std::span<const FlashOp> ops);
  FlashStatus collect(bool wait, std::size_t& foreground_done);

  FlashPort& port_;
  bool chained_;
  std::uint32_t under_way_ = 0;  ///< background erases not yet handed out by finished_erase()
  std::uint32_t unreaped_ = 0;
  std::array<ErasedSegment, kMaxErases> ended_{};
  std::uint32_t ended_count_ = 0;
};

}  // namespace ftlab::fms
