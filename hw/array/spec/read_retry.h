// How a controller reads again what it could not correct. Knows no page and no error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/units.h"

namespace ftlab::hw {

/// Steps behind the plain read, one after the other until a codeword can be corrected; none: there is only that.
struct ArrayReadRetry {
  static constexpr std::size_t kMaxSteps = 15;  ///< which one is kept in four bits

  struct Step {
    double gain = 1;              ///< raw bit error rate over that of the plain read
    std::uint32_t sensings = 1;   ///< of tR each
    std::uint32_t transfers = 1;  ///< of the page: soft bits cross the channel, too
  };

  std::vector<Step> steps;
  Ticks decode{};  ///< until it is known that a step was not enough, and the die is set to the next one

  [[nodiscard]] bool any() const { return !steps.empty(); }
  [[nodiscard]] std::uint8_t last() const { return static_cast<std::uint8_t>(steps.size()); }
  /// 0: the plain read.
  [[nodiscard]] Step step(std::size_t index) const { return index == 0 ? Step{} : steps[index - 1]; }
};

}  // namespace ftlab::hw
