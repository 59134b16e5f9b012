#include "platform/host/parts_recorder.h"

#include <algorithm>
#include <cmath>

namespace ftlab::platform {
namespace {

constexpr double kRounding = 1e-6;  ///< of a rank: shares are no binary fractions

}  // namespace

PartsRecorder::Row& PartsRecorder::new_row(std::uint32_t bin) {
  if (bin >= row_of_bin_.size()) row_of_bin_.resize(std::size_t{bin} + 1, kNoRow);
  row_of_bin_[bin] = static_cast<std::uint32_t>(rows_.size());
  return rows_.emplace_back();
}

void PartsRecorder::carry(Row& row) {
  for (std::uint32_t part = 0; part < kLatencyParts; ++part) row.before[part] += row.latest[part];
  row.latest = {};
  row.latest_sum = {};
}

void PartsRecorder::add(std::uint32_t bin, Ticks latency, const LatencyParts& parts) {
  const bool known = bin < row_of_bin_.size() && row_of_bin_[bin] != kNoRow;
  Row& row = known ? rows_[row_of_bin_[bin]] : new_row(bin);
  ++row.count;
  ++count_;
  if (latency > Ticks::max() - row.latest_sum) carry(row);
  row.latest_sum += latency;
  for (std::size_t part = 0; part < row.latest.size(); ++part) row.latest[part] += parts.all()[part];
  if (latency <= longest_) return;
  longest_ = latency;
  slowest_ = parts;
}

PartsRecorder::Means PartsRecorder::mean_s() const {
  Means means{};
  if (count_ == 0) return means;
  for (std::uint32_t part = 0; part < kLatencyParts; ++part) {
    TickSum sum{};
    for (const Row& row : rows_) sum += row.before[part] + row.latest[part];
    means[part] = to_seconds(sum) / static_cast<double>(count_);
  }
  return means;
}

PartsRecorder::Means PartsRecorder::mean_s(const PercentileBand& band) const {
  Means means{};
  if (count_ == 0) return means;
  if (band.from >= 1) {
    for (std::uint32_t part = 0; part < kLatencyParts; ++part) means[part] = to_seconds(slowest_.all()[part]);
    return means;
  }
  const auto all = static_cast<double>(count_);
  const double at = std::ceil(band.percentile * all - kRounding);
  const double from = std::min(std::floor(band.from * all + kRounding), at - 1);
  const double to = std::max(std::ceil(band.to * all - kRounding), at);
  double passed = 0;
  for (const std::uint32_t index : row_of_bin_) {
    if (index == kNoRow) continue;
    const Row& row = rows_[index];
    const auto here = static_cast<double>(row.count);
    const double inside = std::min(to, passed + here) - std::max(from, passed);
    passed += here;
    if (inside <= 0) continue;
    for (std::uint32_t part = 0; part < kLatencyParts; ++part)
      means[part] += row.sum_s(part) * (inside / here) / (to - from);
  }
  return means;
}

}  // namespace ftlab::platform
