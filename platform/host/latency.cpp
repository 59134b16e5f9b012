#include "platform/host/latency.h"

#include <algorithm>
#include <cmath>

namespace ftlab::platform {
namespace {

constexpr double kLowest = 1e-8;      // below one bus cycle
constexpr double kHighest = 1e9;      // beyond the end of the clock
constexpr unsigned kPerDecade = 240;  // 10^(1/240) = 1.0096
constexpr unsigned kBins = 17 * kPerDecade;

const LatencyAxis& axis() {
  static const LatencyAxis axis(kBins, kLowest, kHighest);
  return axis;
}

LatencyBins& bins_of_axis() {
  static LatencyBins bins(axis());
  return bins;
}

}  // namespace

LatencyRecorder::LatencyRecorder()
    : histogram_(std::make_tuple(axis()), boost::histogram::dense_storage<std::uint64_t>()), bins_(&bins_of_axis()) {}

std::uint32_t LatencyRecorder::add(Ticks latency, Ticks wait) {
  const std::uint32_t bin = bins_->of(latency);
  ++histogram_.at(static_cast<int>(bin));
  ++count_;
  sum_ += latency;
  wait_ += wait;
  max_ = std::max(max_, latency);
  return bin;
}

double LatencyRecorder::mean_s() const { return count_ == 0 ? 0.0 : to_seconds(sum_) / static_cast<double>(count_); }

double LatencyRecorder::wait_mean_s() const {
  return count_ == 0 ? 0.0 : to_seconds(wait_) / static_cast<double>(count_);
}

double LatencyRecorder::percentile_s(double share) const {
  if (count_ == 0) return 0.0;
  const auto rank = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(count_)));
  std::uint64_t seen = 0;
  const LatencyAxis& axis = histogram_.axis();
  for (int i = 0; i < axis.size(); ++i) {
    seen += histogram_.at(i);
    if (seen >= rank && seen > 0) return std::min(std::sqrt(axis.value(i) * axis.value(i + 1)), max_s());
  }
  return max_s();
}

LatencyRecorder::Bins LatencyRecorder::bins(unsigned per_decade) const {
  Bins result;
  const unsigned merge = std::max(1U, kPerDecade / std::max(1U, per_decade));
  const LatencyAxis& axis = histogram_.axis();
  int first = axis.size();
  int last = -1;
  for (int i = 0; i < axis.size(); ++i) {
    if (histogram_.at(i) == 0) continue;
    first = std::min(first, i);
    last = i;
  }
  if (last < 0) return result;
  const int step = static_cast<int>(merge);
  for (int i = first / step * step; i <= last; i += step) {
    std::uint64_t sum = 0;
    for (int j = i; j < std::min(i + step, axis.size()); ++j) sum += histogram_.at(j);
    result.edges_s.push_back(axis.value(i));
    result.counts.push_back(sum);
    if (i + step > last) result.edges_s.push_back(axis.value(std::min(i + step, axis.size())));
  }
  return result;
}

}  // namespace ftlab::platform
