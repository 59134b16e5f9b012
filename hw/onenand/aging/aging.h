// How cycles stretch or shorten the times of a segment, and when it fails.
// Knows nothing of commands or data.
#pragma once

#include <cstdint>

#include "hw/onenand/array/cell_array.h"
#include "hw/onenand/spec/spec.h"

namespace ftlab::hw {

class Aging {
 public:
  explicit Aging(const OneNandSpec& spec)
      : spec_(spec),
        erase_slope_(spec.endurance.erase_growth),
        program_slope_(spec.endurance.program_growth),
        scale_mlc_(1.0 / spec.endurance.rated_mlc),
        scale_slc_(1.0 / spec.endurance.rated_slc) {}

  /// Cycles from which on the segment fails, in the given area.
  [[nodiscard]] std::uint32_t limit(const Segment& segment, bool slc) const {
    if (!slc || segment.own_rating) return segment.limit;
    const double in_slc = static_cast<double>(segment.limit) * scale_mlc_ * spec_.endurance.rated_slc + 0.5;
    return in_slc < 4e9 ? static_cast<std::uint32_t>(in_slc) : 4'000'000'000U;
  }
  [[nodiscard]] bool erase_fails(const Segment& segment, bool slc) const {
    return segment.bad || segment.worn || (!segment.fails_in_program && segment.cycles >= limit(segment, slc));
  }
  [[nodiscard]] bool program_fails(const Segment& segment, bool slc) const {
    return segment.bad || segment.worn || (segment.fails_in_program && segment.cycles >= limit(segment, slc));
  }
  /// Duration of one erase, or of its failure.
  [[nodiscard]] Ticks erase_time(const Segment& segment, bool slc) const {
    if (erase_fails(segment, slc)) return spec_.timing.erase_timeout;
    return drifted(slc ? spec_.timing.erase_slc : spec_.timing.erase_mlc, erase_slope_, segment.cycles, slc);
  }
  [[nodiscard]] Ticks program_time(const Segment& segment, bool slc, PageType type) const {
    const Ticks time =
        drifted(spec_.timing.program[static_cast<std::size_t>(type)], program_slope_, segment.cycles, slc);
    return program_fails(segment, slc) ? scaled(time, spec_.timing.program_timeout_ratio) : time;
  }

 private:
  [[nodiscard]] static Ticks scaled(Ticks time, double factor) {
    return Ticks{static_cast<std::int64_t>(static_cast<double>(time.count()) * factor + 0.5)};
  }
  [[nodiscard]] Ticks drifted(Ticks fresh, double slope, std::uint32_t cycles, bool slc) const {
    const double life = cycles * (slc ? scale_slc_ : scale_mlc_);
    return scaled(fresh, 1 + slope * (life < spec_.endurance.drift_cap ? life : spec_.endurance.drift_cap));
  }

  const OneNandSpec& spec_;
  double erase_slope_;
  double program_slope_;
  double scale_mlc_;
  double scale_slc_;
};

}  // namespace ftlab::hw
