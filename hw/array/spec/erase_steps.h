// Erases that go on in steps of equal length until the segment is erased: a table, as measured. Knows no segment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "common/units.h"

namespace ftlab::hw {

/// Which share of the segments needs how many steps after so many cycles. Between two rows shares are interpolated;
/// behind the last one that holds.
struct ArrayEraseSteps {
  Ticks step{};                ///< 0: erases take timing.erase, see ArrayEndurance
  std::vector<double> cycles;  ///< of each row, from 0 upwards
  std::vector<std::vector<double>> shares;
  [[nodiscard]] bool any() const { return step > Ticks::zero(); }
  /// That the segment needs which has so large a share of all before it.
  [[nodiscard]] std::uint32_t steps(double quantile, double after) const;
  /// Of all segments.
  [[nodiscard]] Ticks mean(double after) const;

 private:
  /// The row before, and how far it is from there to the next.
  [[nodiscard]] std::pair<std::size_t, double> place(double after) const;
  [[nodiscard]] double share(const std::pair<std::size_t, double>& at, std::size_t index) const;
};

}  // namespace ftlab::hw
