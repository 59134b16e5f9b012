// What response times of one kind of request were made of: the mean of each part, over all and over those around a
// percentile. Memory does not grow with the number of requests: sums are kept for each bin of latencies, so that where
// a bin lies across the edge of a band its requests count with the share of them that is in it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "common/sums.h"
#include "platform/host/latency_parts.h"

namespace ftlab::platform {

/// Requests by the rank of their latencies, as shares from 0 to 1; at least the one at the percentile is in it.
struct PercentileBand {
  std::string_view name;
  double from = 0;
  double percentile = 0;
  double to = 0;
};
inline constexpr PercentileBand kPercentileBands[] = {{"p50", 0.45, 0.5, 0.55},
                                                      {"p90", 0.88, 0.9, 0.92},
                                                      {"p99", 0.985, 0.99, 0.995},
                                                      {"p999", 0.9985, 0.999, 0.9995},
                                                      {"max", 1, 1, 1}};

class PartsRecorder {
 public:
  using Means = std::array<double, kLatencyParts>;  ///< s, by LatencyPart

  /// `bin`: where a latency recorder has put the latency, which the parts add up to.
  void add(std::uint32_t bin, Ticks latency, const LatencyParts& parts);

  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// All zero without a request.
  [[nodiscard]] Means mean_s() const;
  [[nodiscard]] Means mean_s(const PercentileBand& band) const;

 private:
  struct Row {
    std::uint64_t count = 0;
    Ticks latest_sum{};  ///< of latencies: no sum of `latest` is more
    LatencyParts::All latest{};
    std::array<TickSum, kLatencyParts> before{};
    [[nodiscard]] double sum_s(std::uint32_t part) const { return to_seconds(before[part] + latest[part]); }
  };
  static constexpr std::uint32_t kNoRow = UINT32_MAX;

  [[gnu::noinline]] Row& new_row(std::uint32_t bin);
  /// The sums of 64 bits are full.
  [[gnu::noinline]] static void carry(Row& row);

  std::vector<std::uint32_t> row_of_bin_;
  std::vector<Row> rows_;
  LatencyParts slowest_;
  Ticks longest_{-1};
  std::uint64_t count_ = 0;
};

}  // namespace ftlab::platform
