// How long the cells take for each read, where a part draws it: a stream of random numbers for each die, so that what
// one die is asked for changes nothing at another. Knows the mean alone; nothing of queues.
#pragma once

#include <boost/random/taus88.hpp>
#include <cstdint>
#include <vector>

#include "hw/array/spec/spec.h"

namespace ftlab::hw::array {

class ReadTimes {
 public:
  /// A drawn time is cut there; one in e^40 is.
  static constexpr std::int64_t kMaxMeans = 40;

  ReadTimes(const ArraySpec& spec, std::uint64_t seed);

  /// False: all take tR, and nothing is drawn, ever.
  [[nodiscard]] bool drawn() const { return !engines_.empty(); }
  Ticks draw(std::uint32_t die, Ticks mean);

 private:
  std::vector<boost::random::taus88> engines_;  ///< of each die
};

}  // namespace ftlab::hw::array
