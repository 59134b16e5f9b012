// Age of every component block: cycles, the limit at which it fails, lock bit; and how age stretches times.
// Non-volatile state only. Knows nothing of commands or data.
#pragma once

#include <cstdint>
#include <vector>

#include "common/units.h"
#include "hw/series2plus/spec/spec.h"

namespace ftlab::hw {

/// Cells of one block of one component.
struct BlockCells {
  std::uint32_t cycles = 0;  ///< erase cycles begun
  std::uint32_t limit = 0;   ///< erasing fails from this many cycles on
  bool worn = false;         ///< an erase failed here; programs fail from then on
  bool locked = false;       ///< non-volatile lock bit
};

class WearModel {
 public:
  /// Draws the limits: one stream per component block, so that they do not depend on the size of the card.
  WearModel(const CardSpec& spec, std::uint64_t seed);

  [[nodiscard]] BlockCells& cells(std::uint32_t segment, std::uint32_t lane) { return cells_[segment * 2 + lane]; }
  [[nodiscard]] const BlockCells& cells(std::uint32_t segment, std::uint32_t lane) const {
    return cells_[segment * 2 + lane];
  }
  /// Both component blocks of the segment would take the same time and end the same way.
  [[nodiscard]] bool uniform(std::uint32_t segment) const {
    const BlockCells& a = cells(segment, 0);
    const BlockCells& b = cells(segment, 1);
    return a.cycles == b.cycles && a.worn == b.worn && a.locked == b.locked &&
           (a.cycles >= a.limit) == (b.cycles >= b.limit);
  }

  /// Duration of one erase, or of its failure.
  [[nodiscard]] Ticks erase_time(const BlockCells& cells) const {
    if (cells.cycles >= cells.limit) return erase_timeout_;
    return erase_ + stretch(erase_slope_, 1, cells.cycles);
  }
  [[nodiscard]] Ticks word_program_time(const BlockCells& cells) const {
    const Ticks time = word_program_ + stretch(word_slope_, 1, cells.cycles);
    return cells.worn ? failed_program(time) : time;
  }
  [[nodiscard]] Ticks buffer_program_time(const BlockCells& cells, std::uint32_t bytes) const {
    const Ticks time = buffer_byte_ * bytes + stretch(buffer_slope_, bytes, cells.cycles);
    return cells.worn ? failed_program(time) : time;
  }

  /// As new, with the limits as drawn.
  void renew() {
    for (BlockCells& block : cells_) block = {.limit = block.limit};
  }

  [[nodiscard]] std::vector<BlockCells>& all() { return cells_; }
  [[nodiscard]] const std::vector<BlockCells>& all() const { return cells_; }

 private:
  // Growth per cycle in 2^-20 ticks: integer, and a card at nine million cycles still fits 64 bits.
  static constexpr int kSlopeShift = 20;
  static constexpr std::uint32_t kSlopeCycles = 4'000'000;  ///< times grow no further

  [[nodiscard]] static Ticks stretch(std::int64_t slope, std::int64_t units, std::uint32_t cycles) {
    const std::int64_t bounded = cycles < kSlopeCycles ? cycles : kSlopeCycles;
    return Ticks{(slope * units * bounded) >> kSlopeShift};
  }
  [[nodiscard]] Ticks failed_program(Ticks time) const;

  Ticks erase_;
  Ticks erase_timeout_;
  Ticks word_program_;
  Ticks buffer_byte_;
  double timeout_ratio_;
  std::int64_t erase_slope_;
  std::int64_t word_slope_;
  std::int64_t buffer_slope_;
  std::vector<BlockCells> cells_;
};

}  // namespace ftlab::hw
