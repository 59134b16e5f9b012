// Whether a codeword of a page holds more wrong bits than a limit, given how many the page has: each bit is in any of
// the codewords alike. Exact, from a table made once; no codeword is drawn for it. Knows no rates and no pages.
#pragma once

#include <boost/random/taus88.hpp>
#include <cstdint>
#include <vector>

namespace ftlab::hw::array {

/// Codewords of a page that hold more than the limit.
struct BeyondLimit {
  std::uint32_t codewords = 0;
  std::uint32_t bits = 0;  ///< wrong ones of those
};

class CodewordLimit {
 public:
  /// Doubles hold all of the table, and it is made within milliseconds.
  [[nodiscard]] static bool fits(std::uint32_t codewords, std::uint32_t most);
  /// `most`: wrong bits that a codeword may hold.
  CodewordLimit(std::uint32_t codewords, std::uint32_t most);

  /// The probability that none of the codewords of a page with so many wrong bits holds more than the limit.
  [[nodiscard]] double none_beyond(std::uint32_t bits) const { return bits < none_.size() ? none_[bits] : 0; }
  /// Those that do, of a page where at least one does: by Karp and Luby, one that does is drawn first, and the page
  /// kept as one of as many as it has. `bits` > the limit.
  [[nodiscard]] BeyondLimit draw(std::uint32_t bits, boost::random::taus88& engine) const;

 private:
  /// Of one codeword that holds more than the limit.
  [[nodiscard]] std::uint32_t draw_one(std::uint32_t bits, boost::random::taus88& engine) const;

  std::uint32_t codewords_;
  std::uint32_t most_;
  std::vector<double> none_;  ///< by wrong bits of the page
};

}  // namespace ftlab::hw::array
