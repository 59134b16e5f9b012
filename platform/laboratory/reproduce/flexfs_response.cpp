// Fig. 13 of the FlexFS paper: response times of single writes while data migrates in the background.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "platform/laboratory/reproduce/experiment_json.h"
#include "platform/laboratory/reproduce/flexfs_cells.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

constexpr double kLateS = 2000e-6;  // "requires more than 2,000 us"

/// A configuration of section 5.1.2 and the time between two migrations that makes it.
struct Utilization {
  const char* name;
  const char* title;
  const char* scheme;
  double trigger_ms;
};

// Moving a page takes about 1.5 ms. OPT: no migration in the background.
constexpr std::array<Utilization, 4> kUtilizations{
    {{"opt", "OPT", "baseline", 15}, {"u10", "U10", "bm", 15}, {"u50", "U50", "bm", 3}, {"u100", "U100", "bm", 0}}};

FlexFsRun response_run(const Utilization& u) {
  return {u.title,
          u.scheme,
          "flexfs-response",
          {{"flexfs.wear_management", "false", "reproduce"},
           {"flexfs.trigger_ms", fmt::format("{}", u.trigger_ms), "reproduce"}}};
}

const ordered_json& probes_of(const ordered_json& document) { return document.at("latency").at("after_pause"); }

double mean_us(const ordered_json& document) { return probes_of(document).at("mean_s").get<double>() * 1e6; }

/// Percent of the probes that took longer than `limit_s`, straight between the percentiles.
double percent_above(const ordered_json& document, double limit_s) {
  const auto percentiles = probes_of(document).at("percentiles_s").get<std::vector<double>>();
  const auto above = std::ranges::upper_bound(percentiles, limit_s);
  return 100.0 * static_cast<double>(percentiles.end() - above) / static_cast<double>(percentiles.size());
}

/// Percent of the probes that take longer than they would in `best`: the largest distance between the distributions.
double percent_delayed(const ordered_json& document, const ordered_json& best) {
  // Percentiles are those of a histogram with bins of 1 %: below that, times are the same.
  constexpr double kSame = 1.02;
  double most = 0;
  for (const ordered_json& limit : probes_of(best).at("percentiles_s")) {
    const double at = limit.get<double>() * kSame;
    most = std::max(most, percent_above(document, at) - percent_above(best, at));
  }
  return most;
}

ordered_json distribution_plot(const std::vector<std::vector<ordered_json>>& documents) {
  ordered_json series = ordered_json::array();
  for (std::size_t i = 0; i < kUtilizations.size(); ++i) {
    ordered_json points = ordered_json::array();
    double percent = 0;
    for (const ordered_json& limit : probes_of(documents[i].front()).at("percentiles_s")) {
      points.push_back({{"x", limit.get<double>() * 1e6}, {"y", ++percent}});
    }
    series.push_back({{"label", kUtilizations[i].title}, {"paper", false}, {"points", points}});
  }
  return {{"name", "flexfs-fig13"},
          {"title", "Distribution of the response time, by use of the idle time"},
          {"caption", "Share of the single writes that are done within a time; the first seed."},
          {"kind", "line"},
          {"x", {{"title", "response time"}, {"unit", "us"}, {"scale", "linear"}}},
          {"y", {{"title", "share of the requests"}, {"unit", "%"}, {"scale", "linear"}}},
          {"series", series}};
}

}  // namespace

ordered_json run_flexfs_fig13(ExperimentContext& context) {
  const spec::TomlFile paper = flexfs_reference();
  const ExperimentFrame frame{
      "flexfs-fig13",
      "Fig. 13: response time while data migrates",
      paper.get_string("fig13.source"),
      "30 times 30 MB of bulk data and then ten single writes at random pauses; the single writes alone are measured. "
      "All data goes to the SLC region. T_trig is 15, 3 and 0 ms for U10, U50 and U100; OPT never migrates in the "
      "background. Delayed: largest distance between the distribution and that of OPT.",
      {{"configuration", "Configuration"}},
      {{"mean", "Mean", "us", 0},
       {"above", "Above 2,000 us", "%", 1},
       {"delayed", "Delayed against OPT", "%", 1},
       {"order", "Not better than the one above", "1 = yes", 0}}};
  std::vector<FlexFsRun> runs;
  runs.reserve(std::size(kUtilizations));
  for (const Utilization& u : kUtilizations) runs.push_back(response_run(u));
  const auto judged = [&](const char* quantity) { return context.tolerances.find({"flexfs-fig13"}, quantity); };
  const auto rows_of = [&](const std::vector<std::vector<ordered_json>>& documents) {
    ordered_json rows = ordered_json::array();
    for (std::size_t i = 0; i < documents.size(); ++i) {
      const bool opt = i == 0;
      const Sample mean = summarize(each(documents[i], mean_us));
      std::vector<ordered_json> cells{
          make_cell("mean", std::nullopt, mean, std::nullopt),
          make_cell("above", opt ? std::optional(paper.get_number("fig13.opt_above", 0, 100)) : std::nullopt,
                    summarize(each(documents[i], [](const auto& d) { return percent_above(d, kLateS); })),
                    opt ? judged("share") : std::nullopt, false)};
      if (!opt) {
        const bool u10 = i == 1;
        std::vector<double> delayed;
        for (std::size_t s = 0; s < documents[i].size(); ++s) {
          delayed.push_back(percent_delayed(documents[i][s], documents[0][s]));
        }
        cells.push_back(make_cell("delayed",
                                  u10 ? std::optional(paper.get_number("fig13.u10_delayed", 0, 100)) : std::nullopt,
                                  summarize(delayed), u10 ? judged("share") : std::nullopt, false));
        const double in_order = mean.mean > summarize(each(documents[i - 1], mean_us)).mean ? 1 : 0;
        cells.push_back(make_cell("order", 1, summarize({in_order}), judged("order"), false));
      }
      rows.push_back(make_row(frame, {kUtilizations[i].title}, cells));
    }
    return rows;
  };
  const auto documents = run_flexfs(context, runs);
  return experiment_json(
      frame, context.seeds, rows_of(documents),
      {"The metadata of a tenth of the requests is a fit to OPT's share above 2,000 us; the distance of the others to "
       "OPT is not fitted.",
       "The file system's own processor time of a write is longer than the move of a page, so that a write can be "
       "delayed and still be done within 2,000 us: what U10 costs shows between the distributions.",
       "The paper finds U50 and U100 worse than the overlap of writes and migration explains, and names competition "
       "for the processor; here a request waits for the page being moved and for nothing else."},
      {distribution_plot(documents)},
      sensitivity_of(context, frame, open_values(runs[0]), rows_under({runs[0], runs[1]}, rows_of)));
}

}  // namespace ftlab::platform
