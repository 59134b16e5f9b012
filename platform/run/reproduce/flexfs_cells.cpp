#include "platform/run/reproduce/flexfs_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "platform/config/data_files.h"
#include "platform/config/scenario_file.h"

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

std::vector<std::vector<ordered_json>> run_flexfs(ExperimentContext& context, const std::vector<FlexFsRun>& runs) {
  std::vector<RunRequest> requests;
  for (const FlexFsRun& run : runs) {
    for (const std::uint64_t seed : context.seeds) requests.push_back({run.label, flexfs_settings(run), seed});
  }
  const auto documents = context.bank.run(requests);
  std::vector<std::vector<ordered_json>> by_run(runs.size());
  for (std::size_t i = 0; i < documents.size(); ++i) by_run[i / context.seeds.size()].push_back(documents[i]);
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

FreeValue free_choice(const std::string& key) {
  const ordered_json defaults = resolved_config(parse_study("", kOrigin, {}));
  std::string path = "/" + key;
  std::ranges::replace(path, '.', '/');
  const ordered_json& value = defaults.at(ordered_json::json_pointer(path));
  const double lower = value.get<double>() * 0.8;
  const double higher = value.get<double>() * 1.2;
  if (value.is_number_integer()) {
    return {key,
            {{key, fmt::format("{:.0f}", std::floor(lower)), kOrigin}},
            {{key, fmt::format("{:.0f}", std::ceil(higher)), kOrigin}}};
  }
  return {key, {{key, fmt::format("{}", lower), kOrigin}}, {{key, fmt::format("{}", higher), kOrigin}}};
}

FreeValue free_price(const std::string& work) {
  const auto host = spec::TomlFile::load((data_folder("hosts") / (std::string(kHost) + ".toml")).string());
  const spec::Quantity price = host.get_quantity("work." + work);
  const std::string key = "host_overrides.work." + work;
  const auto times = [&](double factor) {
    return Setting{key, fmt::format("\"{} {}\"", price.value * factor, price.unit), kOrigin};
  };
  return {key, {times(0.8)}, {times(1.2)}};
}

namespace {

Setting scaled(const std::string& key, const spec::Quantity& quantity, double factor) {
  const bool whole = quantity.unit == "1" || quantity.unit == "B";
  const double number = quantity.value * factor;
  return {"scenario_overrides." + key, fmt::format("\"{} {}\"", whole ? std::round(number) : number, quantity.unit),
          kOrigin};
}

}  // namespace

std::vector<FreeValue> scenario_values(const std::string& scenario) {
  const auto file = spec::TomlFile::load((data_folder("scenarios") / (scenario + ".toml")).string());
  const std::vector<std::string> free = free_values(file);
  std::vector<FreeValue> values;
  for (const auto& [key, quantity] : file.quantities()) {
    if (std::ranges::find(free, key) == free.end()) continue;
    const std::string name = key.substr(key.rfind('.') + 1);
    auto value = std::ranges::find(values, name, &FreeValue::name);
    if (value == values.end()) value = values.insert(value, FreeValue{name, {}, {}});
    value->lower.push_back(scaled(key, quantity, 0.8));
    value->higher.push_back(scaled(key, quantity, 1.2));
  }
  return values;
}

std::vector<FlexFsRun> varied(const FlexFsRun& run, const std::vector<FreeValue>& values) {
  std::vector<FlexFsRun> runs;
  for (const FreeValue& value : values) {
    for (const bool up : {false, true}) {
      FlexFsRun one = run;
      one.label = fmt::format("{} {}20 %", value.name, up ? "+" : "-");
      const std::vector<Setting>& settings = up ? value.higher : value.lower;
      one.more.insert(one.more.end(), settings.begin(), settings.end());
      runs.push_back(std::move(one));
    }
  }
  return runs;
}

}  // namespace ftlab::platform
