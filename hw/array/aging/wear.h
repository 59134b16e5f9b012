// What chance and cycles do to a segment: when it fails, and how its times differ from the nominal ones.
// Knows nothing of descriptors or data. Everything is drawn when the part is made: a stream for each die.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "hw/array/aging/erase_steps.h"
#include "hw/array/array/segment_table.h"
#include "hw/array/spec/spec.h"

namespace ftlab::hw::array {

class Wear {
 public:
  /// Draws limits, factory-bad segments and variation into the table.
  Wear(const ArraySpec& spec, std::uint64_t seed, SegmentTable& segments);

  [[nodiscard]] Ticks erase_time(std::uint32_t segment, std::uint32_t erase_count) const {
    return scaled(steps_.any() ? steps_.time(segment, erase_count) : erase_, erase_scale(segment, erase_count));
  }
  [[nodiscard]] static Ticks scaled(Ticks nominal, std::uint16_t scale) {
    return scale == Segment::kUnscaled ? nominal : Ticks{(nominal.count() * scale + kHalf) / Segment::kUnscaled};
  }
  /// Scale and ends of life, brought up to date with the segment's erase count.
  void age(std::uint32_t segment, Segment& state) const {
    if (scales_) state.program_scale = scale(segment, state.erase_count, program_slope_);
    if (state.erase_count >= state.limit) {
      state.flags |= state.has(segment_flag::kWearsByErase) ? segment_flag::kEraseFails : segment_flag::kProgramFails;
    }
  }

 private:
  static constexpr std::int64_t kHalf = Segment::kUnscaled / 2;

  [[nodiscard]] std::uint16_t erase_scale(std::uint32_t segment, std::uint32_t erase_count) const {
    return scales_ ? scale(segment, erase_count, erase_slope_) : Segment::kUnscaled;
  }
  [[nodiscard]] std::uint16_t scale(std::uint32_t segment, std::uint32_t erase_count, double slope) const {
    const double drift = 1 + slope * std::min(static_cast<double>(erase_count), drift_end_);
    const double factor = variation_.empty() ? drift : drift * static_cast<double>(variation_[segment]);
    return static_cast<std::uint16_t>(std::min(factor * Segment::kUnscaled + 0.5, 65535.0));
  }
  void draw_die(const ArraySpec& spec, std::uint64_t seed, std::uint32_t die, SegmentTable& segments);

  Ticks erase_;
  EraseSteps steps_;
  double erase_slope_;  ///< of a cycle
  double program_slope_;
  double drift_end_;  ///< cycles
  bool scales_;
  std::vector<float> variation_;  ///< of each segment; empty without variation
};

}  // namespace ftlab::hw::array
