// What single operations of a part cost, for firmware that weighs energy.
#pragma once

#include "common/sums.h"

namespace ftlab::hw {

/// Fresh and with the page on the bus. Zero where a part does not tell.
struct OperationEnergies {
  Picojoules slc_program{};  ///< one page, the fast way
  Picojoules mlc_program{};  ///< one page, mean of LSB and MSB
  Picojoules load{};         ///< one page
  Picojoules erase{};        ///< one segment
};

}  // namespace ftlab::hw
