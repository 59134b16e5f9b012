// Response times of one kind of request: exact mean, the part of it spent in the queue, and maximum; percentiles from a
// fine logarithmic histogram. Memory does not grow with the number of requests; bins are 1 % wide, so a percentile is
// within 1 %.
#pragma once

#include <boost/histogram.hpp>
#include <cstdint>
#include <vector>

#include "common/sums.h"
#include "platform/host/latency_bins.h"

namespace ftlab::platform {

class LatencyRecorder {
 public:
  LatencyRecorder();
  /// `wait`: the part of it before the firmware took the request. Gives the bin of the histogram.
  std::uint32_t add(Ticks latency, Ticks wait = {});

  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] double mean_s() const;
  [[nodiscard]] double wait_mean_s() const;
  [[nodiscard]] double max_s() const { return to_seconds(max_); }
  /// `share` in 0..1; 0 when nothing was recorded. Never above max_s().
  [[nodiscard]] double percentile_s(double share) const;

  struct Bins {
    std::vector<double> edges_s;  ///< counts.size() + 1 ascending edges
    std::vector<std::uint64_t> counts;
  };
  /// Occupied range for plotting, merged to at most `per_decade` bins a decade.
  [[nodiscard]] Bins bins(unsigned per_decade) const;

 private:
  using Histogram =
      boost::histogram::histogram<std::tuple<LatencyAxis>, boost::histogram::dense_storage<std::uint64_t>>;

  Histogram histogram_;
  LatencyBins* bins_;  ///< of all
  std::uint64_t count_ = 0;
  TickSum sum_{};
  TickSum wait_{};
  Ticks max_{};
};

}  // namespace ftlab::platform
