// Write amplification of one overwrite of the device after the other, and whether it has come to rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "firmware/base/ftl_stats.h"

namespace ftlab::platform {

class Overwrites {
 public:
  /// Flat: it changes by no more than this share from one overwrite to the next.
  static constexpr double kFlat = 0.01;

  Overwrites() = default;
  explicit Overwrites(std::uint64_t logical_pages) : pages_(logical_pages) {}

  /// Counters as they stand; to be called often compared to an overwrite.
  void see(const FtlStats& stats);
  /// The counters start over from zero, after these.
  void start_over(const FtlStats& last);
  /// Whether overwrites are counted at all.
  [[nodiscard]] bool counts() const { return pages_ > 0; }
  /// What follows is measured.
  void begin_measuring() { measured_from_ = amplification_.size(); }

  /// Of each overwrite that is complete, those before the measured phase, too.
  [[nodiscard]] const std::vector<double>& amplification() const { return amplification_; }
  /// Mean of those in the measured phase compared with the last one before it; without one before, the last one
  /// compared with the first. Nothing where there are too few.
  [[nodiscard]] std::optional<double> drift() const;

 private:
  std::uint64_t pages_ = 0;
  std::uint64_t written_ = 0;  ///< when the overwrite under way began
  std::uint64_t programmed_ = 0;
  std::size_t measured_from_ = 0;
  bool begun_ = false;
  std::vector<double> amplification_;
};

}  // namespace ftlab::platform
