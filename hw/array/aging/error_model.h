// Raw bit errors of a page when it is read, and whether the controller's code corrects them. Draws in the order of the
// reads. Knows nothing of time or data.
#pragma once

#include <algorithm>
#include <array>
#include <boost/random/taus88.hpp>
#include <cstdint>
#include <optional>
#include <vector>

#include "hw/array/aging/codeword_limit.h"
#include "hw/array/aging/exposure.h"
#include "hw/array/array/segment_table.h"
#include "hw/array/spec/spec.h"

namespace ftlab::hw::array {

struct ReadErrors {
  std::uint32_t bits = 0;  ///< of the page
  bool correctable = true;
  bool must_move = false;  ///< a codeword has as many as the part says
  // Of codewords that hold more than can be corrected.
  std::uint32_t lost_codewords = 0;
  std::uint32_t lost_bits = 0;  ///< of those, the wrong ones
};

class ErrorModel {
 public:
  ErrorModel(const ArraySpec& spec, std::uint64_t seed);

  /// False: nothing is drawn, ever.
  [[nodiscard]] bool any() const { return errors_.any(); }
  /// Raw bit error rate of a page of that type after so many cycles, of segments as they are on average.
  [[nodiscard]] double rate(std::uint32_t type, std::uint32_t erase_count, const Exposure::Page& page);
  /// Wrong bits of such a page of this segment on average, as its layer has them.
  [[nodiscard]] double mean_bits(std::uint32_t type, const PageAddress& at, std::uint32_t erase_count,
                                 const Exposure::Page& page) {
    const double bits = mean_bits_of_segment(type, at.segment, erase_count, page);
    return layer_factors_.empty() ? bits : bits * static_cast<double>(layer_factors_[at.page]);
  }
  /// The same, as no layer exceeds them.
  [[nodiscard]] double most_mean_bits(std::uint32_t type, std::uint32_t segment, std::uint32_t erase_count,
                                      const Exposure::Page& page) {
    return mean_bits_of_segment(type, segment, erase_count, page) * worst_layer_;
  }
  /// One time that it is sensed; `may_move`: it may be said of data that they must.
  ReadErrors draw(double mean_bits, bool may_move = true);
  /// So few that ECC is enough, and nothing need move, but once in a million million reads: nothing is drawn of such
  /// pages where nobody asks how many bits are wrong.
  [[nodiscard]] bool is_certain(double mean_bits, bool may_move) const {
    return mean_bits <= certain_bits_[may_move ? 1 : 0];
  }

 private:
  /// Segments wear alike and are read alike: few numbers of cycles and of reads are met at a time.
  static constexpr std::uint32_t kRemembered = 256;
  struct Worn {
    std::uint32_t cycles = UINT32_MAX;
    ErrorPowerLaw::Worn law;
  };
  struct Disturbed {
    std::uint32_t reads = 0;
    double power = 0;
  };

  /// A codeword of a page with so many wrong bits on average has `too_many` once in a million million reads.
  [[nodiscard]] double certain_below(std::uint32_t too_many) const;
  [[nodiscard]] std::uint32_t too_many(bool may_move) const {
    const std::uint32_t lost = errors_.correctable_bits + 1;
    return may_move && errors_.move_bits > 0 ? std::min(errors_.move_bits, lost) : lost;
  }
  [[nodiscard]] double mean_bits_of_segment(std::uint32_t type, std::uint32_t segment, std::uint32_t erase_count,
                                            const Exposure::Page& page) {
    const double rate_here = rate(type, erase_count, page);
    return (factors_.empty() ? rate_here : rate_here * static_cast<double>(factors_[segment])) * page_bits_;
  }
  [[nodiscard]] double parametric(std::uint32_t erase_count, const Exposure::Page& page) const;
  [[nodiscard]] double by_power_law(std::uint32_t erase_count, const Exposure::Page& page);
  /// Of the page at first, and of each codeword only where that could matter. Gives the sum.
  std::uint32_t draw_page(double mean, std::uint32_t matters_from);
  /// Of each codeword: many errors are drawn sooner so.
  std::uint32_t draw_codewords(double mean);
  /// What the codewords that were drawn say of the page.
  void judge_codewords(ReadErrors& found, std::uint32_t matters_from) const;
  /// The same by the limits, without them.
  void judge_by_limits(ReadErrors& found, bool may_move);

  ArrayErrors errors_;
  std::uint32_t page_bits_;
  double sensed_pages_;                   ///< of a segment: what is programmed at once is sensed at once
  std::vector<std::uint32_t> codewords_;  ///< errors of each, while they are drawn
  std::vector<float> factors_;            ///< of each segment; empty: all are alike
  std::vector<float> layer_factors_;      ///< of each page of a segment, its layer's; empty: all are alike
  double worst_layer_ = 1;
  std::array<Worn, kRemembered> worn_{};
  std::array<Disturbed, kRemembered> disturbed_{};
  std::array<double, 2> certain_bits_{};  ///< by may_move; 0 without a power law
  // With a power law, where tables of them fit:
  std::optional<CodewordLimit> correctable_;
  std::optional<CodewordLimit> stays_;  ///< below errors_.move_bits
  boost::random::taus88 engine_;
};

}  // namespace ftlab::hw::array
