#include "platform/measure/figure_sections.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ftlab::platform {

using nlohmann::ordered_json;

namespace {

struct Spread {
  double mean = 0;
  double stddev = 0;
};

Spread spread_of(const std::vector<std::uint32_t>& counts) {
  double sum = 0;
  for (const auto n : counts) sum += n;
  const double mean = counts.empty() ? 0.0 : sum / static_cast<double>(counts.size());
  double squares = 0;
  for (const auto n : counts) squares += (n - mean) * (n - mean);
  return {mean, counts.size() < 2 ? 0.0 : std::sqrt(squares / static_cast<double>(counts.size() - 1))};
}

}  // namespace

ordered_json latency_section(const LatencyRecorder& recorder) {
  const LatencyRecorder::Bins bins = recorder.bins(20);
  return {{"count", recorder.count()},
          {"mean_s", recorder.mean_s()},
          {"wait_mean_s", recorder.wait_mean_s()},
          {"p50_s", recorder.percentile_s(0.5)},
          {"p99_s", recorder.percentile_s(0.99)},
          {"p999_s", recorder.percentile_s(0.999)},
          {"p9999_s", recorder.percentile_s(0.9999)},
          {"max_s", recorder.max_s()},
          {"histogram", {{"edges_s", bins.edges_s}, {"counts", bins.counts}}}};
}

ordered_json distribution_section(const LatencyRecorder& recorder) {
  ordered_json json = latency_section(recorder);
  ordered_json percentiles = ordered_json::array();
  for (int percent = 1; percent <= 100; ++percent) percentiles.push_back(recorder.percentile_s(percent / 100.0));
  json["percentiles_s"] = percentiles;
  return json;
}

ordered_json wear_section(const RunRecord& record) {
  const std::vector<std::uint32_t>& counts = record.erase_counts;
  std::vector<std::uint32_t> of_data;
  for (std::size_t i = 0; i < std::min(counts.size(), record.carries_data.size()); ++i) {
    if (record.carries_data[i]) of_data.push_back(counts[i]);
  }
  const Spread all = spread_of(counts);
  const Spread data = spread_of(of_data);
  const auto hottest = std::ranges::max_element(counts);
  const auto coldest = std::ranges::min_element(counts);
  return {{"mean", all.mean},
          {"stddev", all.stddev},
          {"min", counts.empty() ? 0 : *coldest},
          {"max", counts.empty() ? 0 : *hottest},
          {"hottest", hottest - counts.begin()},
          {"coldest", coldest - counts.begin()},
          {"data_segments",
           {{"count", of_data.size()},
            {"mean", data.mean},
            {"stddev", data.stddev},
            {"min", of_data.empty() ? 0 : std::ranges::min(of_data)},
            {"max", of_data.empty() ? 0 : std::ranges::max(of_data)}}},
          {"erase_counts", counts}};
}

}  // namespace ftlab::platform
