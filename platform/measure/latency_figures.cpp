#include "platform/measure/latency_figures.h"

#include "platform/measure/figure_sections.h"

namespace ftlab::platform {
namespace {

nlohmann::ordered_json by_part(const PartsRecorder::Means& means) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (std::uint32_t part = 0; part < kLatencyParts; ++part)
    json[std::string(name_of(static_cast<LatencyPart>(part)))] = means[part];
  return json;
}

}  // namespace

void append_latency_figures(std::vector<Figure>& out, const std::string& path,
                            const LatencyRecorder HostTotals::*recorder) {
  struct Row {
    const char* name;
    FigureType type;
    const char* help;
  };
  static constexpr Row kRows[] = {
      {"count", FigureType::integer, "requests measured"},
      {"mean_s", FigureType::number, "mean response time, from arrival in the host's queue to completion"},
      {"wait_mean_s", FigureType::number, "the part of mean_s before the firmware took the request"},
      {"p50_s", FigureType::number, "half of the response times are at most this, within 1 %"},
      {"p99_s", FigureType::number, "99 % of the response times are at most this, within 1 %"},
      {"p999_s", FigureType::number, "99.9 % of the response times are at most this, within 1 %"},
      {"p9999_s", FigureType::number, "99.99 % of the response times are at most this, within 1 %"},
      {"max_s", FigureType::number, "longest response time"},
      {"histogram", FigureType::object, "requests by response time"},
  };
  for (const Row& row : kRows) {
    out.push_back(
        {path + "." + row.name, row.type == FigureType::number ? "s" : "", row.help, row.type, CounterKind::flow, false,
         [name = row.name, recorder](const RunRecord& r) { return latency_section(r.host.*recorder).at(name); },
         false});
  }
}

void append_parts_figures(std::vector<Figure>& out, const std::string& path,
                          const PartsRecorder HostTotals::*recorder) {
  using nlohmann::ordered_json;
  const auto add = [&](const char* name, FigureType type, const char* help,
                       ordered_json (*section)(const PartsRecorder&)) {
    out.push_back({path + "." + name, "s", help, type, CounterKind::flow, false,
                   [recorder, section](const RunRecord& r) {
                     return r.follows_requests ? section(r.host.*recorder) : ordered_json();
                   },
                   true});
  };
  add("parts_s", FigureType::numbers_by_name, "mean response time by what it was spent on; sums to mean_s",
      [](const PartsRecorder& parts) { return by_part(parts.mean_s()); });
  add("parts_by_percentile", FigureType::object,
      "the same of the requests around p50, p90, p99 and p999, and of the slowest one (max)",
      [](const PartsRecorder& parts) {
        ordered_json json = ordered_json::object();
        for (const PercentileBand& band : kPercentileBands) json[std::string(band.name)] = by_part(parts.mean_s(band));
        return json;
      });
}

}  // namespace ftlab::platform
