// Raw bit errors of a page when it is read, and whether the controller's code corrects them. Draws in the order of the
// reads. Knows nothing of time or data.
#pragma once

#include <boost/random/taus88.hpp>
#include <cstdint>
#include <vector>

#include "hw/array/aging/exposure.h"
#include "hw/array/spec/spec.h"

namespace ftlab::hw::array {

struct ReadErrors {
  std::uint32_t bits = 0;  ///< of the page
  bool correctable = true;
  bool must_move = false;  ///< a codeword has as many as the part says
};

class ErrorModel {
 public:
  ErrorModel(const ArraySpec& spec, std::uint64_t seed);

  /// False: nothing is drawn, ever.
  [[nodiscard]] bool any() const { return errors_.any(); }
  /// Raw bit error rate of a page of that type after so many cycles.
  [[nodiscard]] double rate(std::uint32_t type, std::uint32_t erase_count, const Exposure::Page& page) const;
  ReadErrors draw(std::uint32_t type, std::uint32_t erase_count, const Exposure::Page& page);

 private:
  ArrayErrors errors_;
  std::uint32_t page_bits_;
  std::vector<std::uint32_t> codewords_;  ///< errors of each, while they are drawn
  boost::random::taus88 engine_;
};

}  // namespace ftlab::hw::array
