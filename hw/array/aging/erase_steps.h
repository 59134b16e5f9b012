// Erases that go on in steps until a segment is erased: how many each needs. A segment has its place among all, drawn
// once, and keeps it as all of them wear. Knows nothing of operations.
#pragma once

#include <cstdint>
#include <vector>

#include "hw/array/spec/spec.h"

namespace ftlab::hw::array {

class EraseSteps {
 public:
  EraseSteps(const ArraySpec& spec, std::uint64_t seed);

  /// False: erases of this part have no steps.
  [[nodiscard]] bool any() const { return !quantiles_.empty(); }
  [[nodiscard]] std::uint32_t steps(std::uint32_t segment, std::uint32_t erase_count) const {
    return table_.steps(quantiles_[segment], erase_count);
  }
  [[nodiscard]] Ticks time(std::uint32_t segment, std::uint32_t erase_count) const {
    return table_.step * std::int64_t{steps(segment, erase_count)};
  }

 private:
  ArrayEraseSteps table_;
  std::vector<float> quantiles_;  ///< of each segment: so large a share needs fewer steps, or as many
};

}  // namespace ftlab::hw::array
