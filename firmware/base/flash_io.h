// Runs operations on a FlashPort: chains that stop at the first failure, erases left running in the background.
// Knows no tables and no format. `corrected` reads are reported as ok; corrected_bits() says how near a loss was.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "firmware/port/flash_port.h"

namespace ftlab {

class FlashIo {
 public:
  explicit FlashIo(FlashPort& port) : port_(port), chained_(port.capabilities().chained) {}

  /// Runs the operations in order; those after a failed one are not started. Returns the first failure.
  FlashStatus run(std::span<FlashOp> ops);
  FlashStatus read(std::uint32_t segment, std::uint32_t offset, std::span<std::byte> into);
  template <class Record>
  FlashStatus read_record(std::uint32_t segment, std::uint32_t offset, Record& into) {
    return read(segment, offset, std::as_writable_bytes(std::span(&into, 1)));
  }
  FlashStatus program(std::uint32_t segment, std::uint32_t offset, const void* from, std::uint32_t length);
  FlashStatus erase(std::uint32_t segment);

  /// Parts with spare bytes. Read: length 0 and spare_into alone, or either, or both; within one page.
  FlashStatus read_page(std::uint32_t segment, std::uint32_t offset, std::byte* into, std::uint32_t length,
                        void* spare_into);
  /// One whole page with its spare bytes.
  FlashStatus program_page(std::uint32_t segment, std::uint32_t offset, const void* from, std::uint32_t length,
                           const void* spare_from);
  /// check_bad or mark_bad.
  FlashStatus mark(FlashOpKind kind, std::uint32_t segment);
  /// Most bit errors in one ECC sector that the last call corrected; kRecovered after a recovery read.
  [[nodiscard]] std::uint8_t corrected_bits() const { return corrected_bits_; }

  struct ErasedSegment {
    std::uint32_t segment = 0;
    FlashStatus status = FlashStatus::ok;
  };
  /// False when too many are under way already.
  bool start_erase(std::uint32_t segment);
  /// The next background erase that has ended; waits for one if asked and any is under way.
  std::optional<ErasedSegment> finished_erase(bool wait);
  [[nodiscard]] std::uint32_t erases_under_way() const { return under_way_; }

  /// Waits for all that is under way; nobody will ask for its results.
  void forget();

 private:
  static constexpr std::uint32_t kEraseTag = 0x80000000;
  static constexpr std::size_t kMaxErases = 8;

  FlashStatus run_submitted(std::span<const FlashOp> ops);
  FlashStatus collect(bool wait, std::size_t& foreground_done);
  /// Collects what has ended; waits for something if asked and any erase is under way. False: the port has nothing.
  bool collect_erases(bool wait);

  FlashPort& port_;
  bool chained_;
  std::uint8_t corrected_bits_ = 0;
  std::uint32_t under_way_ = 0;  ///< background erases not yet handed out by finished_erase()
  std::uint32_t unreaped_ = 0;   ///< those that the port still has
  std::array<ErasedSegment, kMaxErases> ended_{};
  std::uint32_t ended_count_ = 0;
};

}  // namespace ftlab
