#include "platform/measure/latency_figures.h"

#include "platform/measure/figure_sections.h"

namespace ftlab::platform {

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

}  // namespace ftlab::platform
