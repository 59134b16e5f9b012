// A part whose pages can be read in the second step of read retry alone.
#pragma once

#include "tests/device/array/array_fixture.h"

namespace ftlab::hw::testing {

/// The plain read and the first step have far too many wrong bits, the second one few. It senses three times.
inline ArrayOverrides two_steps(const ArrayOverrides& more = {}) {
  ArrayOverrides all{{"errors.base", "0.01"},
                     {"errors.factor_lsb", "1"},
                     {"errors.factor_msb", "1"},
                     {"errors.correctable_bits", "40"},
                     {"errors.move_bits", "0"},
                     {"timing.read_lsb", "50"},
                     {"read_retry.source", "\"test\""},
                     {"read_retry.gain", "[0.9, 0.1]"},
                     {"read_retry.sensings", "[1, 3]"},
                     {"read_retry.transfers", "[1, 2]"},
                     {"read_retry.decode", "{ value = 7, unit = 'us', source = 'test' }"}};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace ftlab::hw::testing
