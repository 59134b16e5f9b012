// What the status registers of a component have latched: errors stay until they are cleared.
// Knows no time and no operation under way; those bits are added where the registers are read.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "hw/regs/series2plus_regs.h"

namespace ftlab::hw {

class StatusRegisters {
 public:
  explicit StatusRegisters(std::uint32_t blocks) : block_bits_(blocks) {}

  /// An operation on the block failed.
  void fail(std::uint32_t block, std::uint8_t csr_bits, std::uint8_t bsr_bits) {
    csr_errors_ |= csr_bits;
    error_ = true;
    block_bits_[block] |= bsr_bits;
  }
  void set_error() { error_ = true; }
  void wrong_sequence() {
    csr_errors_ |= series2plus::csr::kEraseError | series2plus::csr::kWriteError;
    error_ = true;
  }
  void begin(std::uint32_t block) { clear_block(block, series2plus::bsr::kAborted); }
  void show_lock(std::uint32_t block, bool locked) {
    locks_uploaded_ = true;
    clear_block(block, series2plus::bsr::kUnlocked);
    if (!locked) block_bits_[block] |= series2plus::bsr::kUnlocked;
  }
  /// The command.
  void clear() {
    csr_errors_ = 0;
    error_ = false;
    for (std::uint32_t block = 0; block < block_bits_.size(); ++block) {
      clear_block(block, series2plus::bsr::kFailed | series2plus::bsr::kVppLow);
    }
  }
  void reset() {
    csr_errors_ = 0;
    error_ = locks_uploaded_ = false;
    std::ranges::fill(block_bits_, std::uint8_t{0});
  }

  [[nodiscard]] std::uint8_t csr_errors() const { return csr_errors_; }
  [[nodiscard]] bool error() const { return error_; }
  /// Before an upload every block counts as locked while lock bits count, and as unlocked while they do not.
  [[nodiscard]] std::uint8_t block_bits(std::uint32_t block, bool locks_count) const {
    const bool counts_as_unlocked = !locks_uploaded_ && !locks_count;
    return block_bits_[block] | (counts_as_unlocked ? series2plus::bsr::kUnlocked : std::uint8_t{0});
  }
  friend bool operator==(const StatusRegisters&, const StatusRegisters&) = default;

 private:
  void clear_block(std::uint32_t block, std::uint8_t bits) { block_bits_[block] &= static_cast<std::uint8_t>(~bits); }

  bool error_ = false;
  bool locks_uploaded_ = false;  ///< BSR.6 shows the true lock bits
  std::uint8_t csr_errors_ = 0;
  std::vector<std::uint8_t> block_bits_;
};

}  // namespace ftlab::hw
