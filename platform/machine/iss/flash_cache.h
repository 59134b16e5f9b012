// Which lines of flash a cache holds, and what a miss costs. Lines are taken and given up, never renewed: a hit changes
// nothing, so that code whose lines are all there need not be looked at again before a line has gone.
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
  /// Whether all of them are there, or need not be.
  [[nodiscard]] bool holds(std::uint32_t address, std::uint32_t bytes) const;
  /// The same of any number of bytes.
  [[nodiscard]] bool holds_all(std::uint32_t address, std::uint32_t bytes) const;
  /// Whether it lies in the flash, and the flash makes anybody wait.
  [[nodiscard]] bool covers(std::uint32_t address) const { return address - base_ < size_; }
  /// Grows whenever a line has gone; from 1.
  [[nodiscard]] std::uint64_t generation() const { return generation_; }
  /// How often a line was not there.
  [[nodiscard]] std::uint64_t misses() const { return misses_; }

  /// A generation for code that never waits.
  static constexpr std::uint64_t kAlways = ~std::uint64_t{0};

 private:
  static constexpr std::uint32_t kNone = ~0U;
  struct Set {
    std::vector<std::uint32_t> lines;
    std::uint32_t oldest = 0;
  };

  [[nodiscard]] std::uint32_t line_of(std::uint32_t address) const { return (address - base_) >> shift_; }
  bool take(std::uint32_t line);

  std::uint32_t base_;
  std::uint32_t size_;  ///< 0: nobody waits
  std::uint32_t miss_;
  unsigned shift_;
  std::vector<Set> sets_;
  std::vector<std::uint8_t> there_;  ///< by line
  std::uint64_t generation_ = 1;
  std::uint64_t misses_ = 0;
};

}  // namespace ftlab::iss
