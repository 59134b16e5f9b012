// Which lines of flash a cache holds, and what a miss costs. Lines are taken and given up, never renewed: a hit changes
// nothing, so that code whose line is there needs no more than a look at its mark.
#pragma once

#include <cstdint>
#include <vector>

#include "common/core_timing.h"

namespace ftlab::iss {

class FlashCache {
 public:
  explicit FlashCache(const FlashTiming& timing);

  /// Cycles that an access of these bytes, of at most two lines, waits; they are there then.
  std::uint32_t touch(std::uint32_t address, std::uint32_t bytes);
  /// The same of all of a line, by its number.
  std::uint32_t fetch(std::uint32_t line) { return take(line) ? miss_ : 0; }
  /// Whether all of them are there, or need not be.
  [[nodiscard]] bool holds(std::uint32_t address, std::uint32_t bytes) const;
  /// Whether it lies in the flash, and the flash makes anybody wait.
  [[nodiscard]] bool covers(std::uint32_t address) const { return address - base_ < size_; }
  /// Of an address that is covered.
  [[nodiscard]] std::uint32_t line_of(std::uint32_t address) const { return (address - base_) >> shift_; }
  [[nodiscard]] bool has(std::uint32_t line) const { return there_[line] != 0; }
  /// Zero while the address is covered and its line is not there; at the same place for ever.
  [[nodiscard]] const std::uint8_t* mark_of(std::uint32_t address) const {
    return covers(address) ? &there_[line_of(address)] : &kThere;
  }
  /// How often a line was not there.
  [[nodiscard]] std::uint64_t misses() const { return misses_; }

  /// The mark of what never waits.
  static constexpr std::uint8_t kThere = 1;

 private:
  static constexpr std::uint32_t kNone = ~0U;

  bool take(std::uint32_t line);

  std::uint32_t base_;
  std::uint32_t size_;  ///< 0: nobody waits
  std::uint32_t miss_;
  unsigned shift_;
  std::uint32_t sets_;
  std::uint32_t ways_;
  std::vector<std::uint32_t> lines_;   ///< set by set
  std::vector<std::uint32_t> oldest_;  ///< of each set, the place in lines_
  std::vector<std::uint8_t> there_;    ///< by line
  std::uint64_t misses_ = 0;
};

}  // namespace ftlab::iss
