#include "platform/laboratory/reproduce/flexfs_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "platform/files/data_files.h"

namespace ftlab::platform {

using nlohmann::ordered_json;

namespace {

constexpr const char* kOrigin = "reproduce";
constexpr const char* kHost = "omap2420-400";
constexpr double kStep = 1024.0 * 1024.0;

}  // namespace

spec::TomlFile flexfs_reference() { return spec::TomlFile::load((data_folder("reference") / "flexfs.toml").string()); }

std::vector<Setting> flexfs_settings(const FlexFsRun& run) {
  std::vector<Setting> settings{{"part", "flexonenand-4gb", kOrigin},
                                {"part_profile", "flexfs-calibrated", kOrigin},
                                {"host", kHost, kOrigin},
                                {"ftl.firmware", "flexfs", kOrigin},
                                {"flexfs.scheme", run.scheme, kOrigin},
                                {"workload.kind", "scenario", kOrigin},
                                {"workload.scenario", run.scenario, kOrigin}};
  settings.insert(settings.end(), run.more.begin(), run.more.end());
  return settings;
}

std::vector<std::vector<ordered_json>> run_flexfs(ExperimentContext& context, const std::vector<FlexFsRun>& runs,
                                                  Keep keep) {
  std::vector<RunRequest> requests;
  for (const FlexFsRun& run : runs) {
    for (const std::uint64_t seed : context.seeds) requests.push_back({run.label, flexfs_settings(run), seed});
  }
  auto documents = context.bank.run(requests, keep);
  std::vector<std::vector<ordered_json>> by_run(runs.size());
  for (std::size_t i = 0; i < documents.size(); ++i) {
    by_run[i / context.seeds.size()].push_back(std::move(documents[i]));
  }
  return by_run;
}

ThroughputCurve throughput_curve(const ordered_json& document, double partition_pages) {
  const ordered_json& timeline = document.at("timeline");
  const auto bytes = timeline.at("bytes_written").get<std::vector<double>>();
  const auto service = timeline.at("write_service_s").get<std::vector<double>>();
  const auto valid = timeline.at("valid_pages").get<std::vector<double>>();
  const auto alpha = timeline.at("slc_share").get<std::vector<double>>();
  ThroughputCurve curve;
  std::size_t from = 0;
  for (std::size_t i = 1; i < bytes.size(); ++i) {
    const double written = bytes[i] - bytes[from];
    const bool last = i + 1 == bytes.size();
    if (written < kStep && !(last && written > 0)) continue;
    curve.used.push_back(100 * valid[i] / partition_pages);
    curve.rate.push_back(written / (service[i] - service[from]) * 1e-6);
    curve.alpha.push_back(alpha[i]);
    from = i;
  }
  if (!bytes.empty() && service.back() > 0) curve.overall = bytes.back() / service.back() * 1e-6;
  return curve;
}

double collapse_at(const ThroughputCurve& curve, double share, std::size_t points) {
  const std::size_t head = std::max<std::size_t>(1, curve.rate.size() / 10);
  const double plateau =
      std::accumulate(curve.rate.begin(), curve.rate.begin() + static_cast<std::ptrdiff_t>(head), 0.0) /
      static_cast<double>(head);
  for (std::size_t i = 0; i < curve.rate.size(); ++i) {
    const std::size_t end = std::min(i + points, curve.rate.size());
    const bool low = std::all_of(curve.rate.begin() + static_cast<std::ptrdiff_t>(i),
                                 curve.rate.begin() + static_cast<std::ptrdiff_t>(end),
                                 [&](double rate) { return rate < share * plateau; });
    if (low) return curve.used[i];
  }
  return 100;
}

double crossing_of(const ThroughputCurve& a, const ThroughputCurve& b, std::size_t points) {
  const std::size_t n = std::min(a.rate.size(), b.rate.size());
  std::size_t below = 0;
  for (std::size_t i = 0; i < n; ++i) {
    below = a.rate[i] < b.rate[i] ? below + 1 : 0;
    if (below == points) return a.used[i + 1 - points];
  }
  return 100;
}

double mean_rate(const ThroughputCurve& curve, double from_used, double to_used) {
  // Equal amounts of data a point: the mean rate is that of the summed times.
  double seconds = 0;
  std::size_t n = 0;
  for (std::size_t i = 0; i < curve.rate.size(); ++i) {
    if (curve.used[i] < from_used || curve.used[i] > to_used) continue;
    seconds += 1 / curve.rate[i];
    ++n;
  }
  return n == 0 ? 0 : static_cast<double>(n) / seconds;
}

std::vector<UnpublishedParameter> open_values(const FlexFsRun& run) {
  const Study base = parse_study("", kOrigin, flexfs_settings(run));
  return joined({unpublished_keys(base, "flexfs"), host_values(base), scenario_values(base)});
}

RowsUnder rows_under(std::vector<FlexFsRun> runs, RowsOf rows_of) {
  return [runs = std::move(runs), rows_of = std::move(rows_of)](ExperimentContext& context,
                                                                const std::vector<Change>& changes) {
    std::vector<FlexFsRun> all;
    all.reserve(changes.size() * runs.size());
    for (const Change& change : changes) {
      for (FlexFsRun run : runs) {
        if (!change.label.empty()) run.label += ", " + change.label;
        run.more.push_back(kNoContent);
        run.more.insert(run.more.end(), change.settings.begin(), change.settings.end());
        all.push_back(std::move(run));
      }
    }
    auto documents = run_flexfs(context, all, Keep::no);
    std::vector<ordered_json> rows;
    rows.reserve(changes.size());
    for (auto from = documents.begin(); from != documents.end(); from += static_cast<std::ptrdiff_t>(runs.size())) {
      rows.push_back(rows_of(
          {std::make_move_iterator(from), std::make_move_iterator(from + static_cast<std::ptrdiff_t>(runs.size()))}));
    }
    return rows;
  };
}

}  // namespace ftlab::platform
