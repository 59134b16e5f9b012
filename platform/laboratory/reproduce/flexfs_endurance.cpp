// Fig. 14 and Table 4 of the FlexFS paper: the wear index over ten windows of changing load, and the wear it leads to.
#include <fmt/format.h>

#include <algorithm>

#include "platform/files/data_files.h"
#include "platform/laboratory/reproduce/experiment_json.h"
#include "platform/laboratory/reproduce/flexfs_cells.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

// Section 5.1.3.
constexpr double kPartitionMib = 120;
constexpr double kCycles = 10;
constexpr double kWindowS = 400;
constexpr double kLifetimeS = 4000;
constexpr std::size_t kWindows = 10;

enum class Wear { managed, unmanaged };

FlexFsRun endurance_run(const std::string& label, const char* scheme, Wear wear, std::vector<Setting> more = {}) {
  FlexFsRun run{label, scheme, "flexfs-endurance", std::move(more)};
  const auto set = [&run](const char* key, const std::string& text) { run.more.push_back({key, text, "reproduce"}); };
  set("flexfs.partition_mib", fmt::format("{}", kPartitionMib));
  set("flexfs.erase_cycles", fmt::format("{}", kCycles));
  set("flexfs.lifetime_s", fmt::format("{}", kLifetimeS));
  set("flexfs.wear_window_s", fmt::format("{}", kWindowS));
  set("platform.sample_s", "20");
  // The paper turned wear leveling off together with wear management.
  set("flexfs.wear_management", wear == Wear::managed ? "true" : "false");
  if (wear == Wear::unmanaged) set("flexfs.free_choice", "fifo");
  return run;
}

/// The incoming data of Table 3 and what Eq. 7 to 9 make of it, when every window uses just the budget of Eq. 8.
struct Equations {
  std::vector<double> incoming_mib;
  std::vector<double> delta;
  double used_mib = 0;
};

Equations solve_equations() {
  const auto scenario = spec::TomlFile::load((data_folder("scenarios") / "flexfs-endurance.toml").string());
  Equations result;
  result.incoming_mib = scenario.get_numbers("windows.volumes_mib", 0, 1e9);
  constexpr double kTotal = kPartitionMib * kCycles;
  for (std::size_t w = 0; w < result.incoming_mib.size(); ++w) {
    const double budget = (kTotal - result.used_mib) / static_cast<double>(kWindows - w);  // Eq. 7
    double delta = 1;
    if (w > 0) {  // IW is the mean of up to three windows before
      const std::size_t first = w > 3 ? w - 3 : 0;
      double estimate = 0;
      for (std::size_t i = first; i < w; ++i) estimate += result.incoming_mib[i] / static_cast<double>(w - first);
      delta = std::clamp((budget - estimate) / (2 * estimate), 0.0, 1.0);  // Eq. 9
    }
    result.delta.push_back(delta);
    result.used_mib += result.incoming_mib[w] * (2 * delta + 1);  // Eq. 8
  }
  return result;
}

/// What a column of the timeline is at the end of each window.
std::vector<double> at_window_ends(const ordered_json& document, const std::string& column) {
  const auto times = document.at("timeline").at("time_s").get<std::vector<double>>();
  const auto values = document.at("timeline").at(column).get<std::vector<double>>();
  std::vector<double> found;
  for (std::size_t w = 1; w <= kWindows; ++w) {
    const auto after = std::ranges::lower_bound(times, static_cast<double>(w) * kWindowS);
    found.push_back(after == times.begin() ? 0 : values[static_cast<std::size_t>(after - times.begin()) - 1]);
  }
  return found;
}

double figure_of(const ordered_json& document, const char* name) {
  return document.at("firmware").at("figures").at(name).get<double>();
}

/// Of the segments of the partition.
auto wear_figure(const char* name) {
  return
      [name](const ordered_json& document) { return document.at("wear").at("data_segments").at(name).get<double>(); };
}

/// Erase cycles of the segments of the partition, most erased first.
ordered_json erase_counts(const std::string& label, const ordered_json& document) {
  auto counts = document.at("wear").at("erase_counts").get<std::vector<std::uint32_t>>();
  std::ranges::sort(counts, std::greater{});
  counts.resize(std::min(counts.size(), static_cast<std::size_t>(wear_figure("count")(document))));
  ordered_json points = ordered_json::array();
  for (std::size_t i = 0; i < counts.size(); ++i) points.push_back({{"x", i + 1}, {"y", counts[i]}});
  return {{"label", label}, {"paper", false}, {"points", points}};
}

/// The unpublished patterns of overwriting, and as much of the data as fits.
std::vector<FlexFsRun> patterns(Wear wear) {
  std::vector<FlexFsRun> runs;
  for (const char* pattern : {"uniform", "sequential", "hot_cold"}) {
    for (const int data : {40, 60, 90}) {
      runs.push_back(
          endurance_run(fmt::format("pattern {}, {} MiB of files", pattern, data), "bm", wear,
                        {{"scenario_overrides.windows.pattern", fmt::format("\"{}\"", pattern), "reproduce"},
                         {"scenario_overrides.windows.data", fmt::format("\"{} MiB\"", data), "reproduce"}}));
    }
  }
  return runs;
}

/// The run that the paper describes first; then what else its words allow.
std::vector<FlexFsRun> all_runs(Wear wear) {
  const bool managed = wear == Wear::managed;
  std::vector<FlexFsRun> runs{
      endurance_run(managed ? "with wear management" : "without", "bm", wear),
      endurance_run(managed ? "with wear management, scheme la" : "without, scheme la", "la", wear)};
  if (managed) {
    runs.push_back(endurance_run("level_gap 4", "bm", wear, {{"flexfs.level_gap", "4", "reproduce"}}));
  }
  for (FlexFsRun& run : patterns(wear)) runs.push_back(std::move(run));
  return runs;
}

ordered_json window_plot(const ordered_json& document, const std::string& name, const std::string& column,
                         const std::string& title, const std::vector<double>& expected) {
  const std::vector<double> ours = at_window_ends(document, column);
  const auto points = [](const std::vector<double>& values) {
    ordered_json list = ordered_json::array();
    for (std::size_t w = 0; w < values.size(); ++w) list.push_back({{"x", fmt::format("w{}", w)}, {"y", values[w]}});
    return list;
  };
  ordered_json series = ordered_json::array();
  series.push_back({{"label", "Eq. 7 to 9"}, {"paper", true}, {"points", points(expected)}});
  series.push_back({{"label", "ftlab"}, {"paper", false}, {"points", points(ours)}});
  return {{"name", name},
          {"title", title},
          {"caption", "At the end of each window; the first seed."},
          {"kind", "bar"},
          {"x", {{"title", "window"}, {"unit", ""}, {"scale", "category"}}},
          {"y", {{"title", title}, {"unit", column == "delta" ? "" : "MiB"}, {"scale", "linear"}}},
          {"series", series}};
}

}  // namespace

ordered_json run_flexfs_fig14(ExperimentContext& context) {
  const spec::TomlFile paper = flexfs_reference();
  const Equations equations = solve_equations();
  ExperimentFrame frame{
      "flexfs-fig14",
      "Fig. 14: wear index and data written in ten windows",
      paper.get_string("fig14.source"),
      "Table 3's volumes on 120 MB that stand 10 cycles, 4,000 s to live, windows of 400 s; all data goes to the SLC "
      "region as far as delta allows (scheme bm). Published values of delta: Eq. 7 to 9 solved for Table 3.",
      {{"window", "Window"}},
      {{"incoming", "Data", "MiB", 0}, {"delta", "delta", "", 2}, {"used", "Written in all", "MiB", 0}}};
  const std::vector<FlexFsRun> runs = all_runs(Wear::managed);
  const auto judged = [&](const char* quantity) { return context.tolerances.find({"flexfs-fig14"}, quantity); };
  const auto used = [](const ordered_json& d) { return figure_of(d, "used_mib"); };
  const auto rows_of = [&](const std::vector<std::vector<ordered_json>>& documents) {
    ordered_json rows = ordered_json::array();
    for (std::size_t w = 0; w < kWindows; ++w) {
      const auto in_window = [&](const char* column) {
        return summarize(each(documents[0], [&](const ordered_json& d) { return at_window_ends(d, column)[w]; }));
      };
      rows.push_back(
          make_row(frame, {fmt::format("w{}", w)},
                   {make_cell("incoming", std::nullopt, summarize({equations.incoming_mib[w]}), std::nullopt),
                    make_cell("delta", equations.delta[w], in_window("delta"), judged("delta"), false),
                    make_cell("used", std::nullopt, in_window("used_mib"), std::nullopt)}));
    }
    rows.push_back(make_row(frame, {"total"},
                            {make_cell("used", paper.get_number("fig14.written", 0, 1e6),
                                       summarize(each(documents[0], used)), judged("written"))}));
    return rows;
  };
  const auto documents = run_flexfs(context, runs);
  ordered_json rows = rows_of(documents);
  for (std::size_t i = 1; i < runs.size(); ++i) {
    rows.push_back(make_row(frame, {"total, unpublished: " + runs[i].label},
                            {make_cell("used", std::nullopt, summarize(each(documents[i], used)), std::nullopt)}));
  }
  std::vector<double> cumulative;
  double sum = 0;
  for (std::size_t w = 0; w < kWindows; ++w)
    cumulative.push_back(sum += equations.incoming_mib[w] * (2 * equations.delta[w] + 1));
  bool met = true;
  for (const ordered_json& d : documents[0]) met = met && used(d) <= figure_of(d, "endurance_mib");
  return experiment_json(
      frame, context.seeds, rows,
      {met ? "The lifetime is met: after 4,000 s no more has been written than the flash memory stands."
           : "The lifetime is missed: more was written than the flash memory stands.",
       fmt::format("Eq. 7 to 9 use {:.0f} MiB in all.", equations.used_mib),
       "The estimate of a window is the mean of the three before, so delta cannot fall before the fifth.",
       "Rows \"unpublished\": other patterns of overwriting."},
      {window_plot(documents[0].front(), "flexfs-fig14-delta", "delta", "Wear index delta", equations.delta),
       window_plot(documents[0].front(), "flexfs-fig14-written", "used_mib", "Data written in all", cumulative)},
      sensitivity_of(context, frame, open_values(runs[0]), rows_under({runs[0]}, [&](const auto& of_one) {
                       // What is written up to a window repeats in all later ones: the total says it once.
                       ordered_json shorter = rows_of(of_one);
                       for (std::size_t w = 0; w < kWindows; ++w) keep_quantities(shorter[w], {"delta"});
                       return shorter;
                     })));
}

ordered_json run_flexfs_table4(ExperimentContext& context) {
  const spec::TomlFile paper = flexfs_reference();
  const ExperimentFrame frame{
      "flexfs-table4",
      "Table 4: erase cycles with and without wear management",
      paper.get_string("table4.source"),
      "The runs of flexfs-fig14, counted over the segments of the partition. Without wear management free segments "
      "are used in turn, since the paper turned wear leveling off, too.",
      {{"wear", "Wear management"}},
      {{"mean", "Average", "cycles", 2},
       {"stddev", "Std. dev.", "cycles", 2},
       {"max", "Most", "cycles", 0},
       {"order", "Lower spread with it"}}};
  const auto wear_cells = [&](const std::vector<ordered_json>& documents, const std::string& key) {
    std::vector<ordered_json> cells;  // `key`: published figures; empty: none
    for (const char* name : {"mean", "stddev", "max"}) {
      const std::string at = fmt::format("{}.{}", key, name);
      const std::optional<double> published =
          paper.has(at) ? std::optional(paper.get_number(at, 0, 1e6)) : std::nullopt;
      cells.push_back(make_cell(name, published, summarize(each(documents, wear_figure(name))),
                                published ? context.tolerances.find({"flexfs-table4"}, name) : std::nullopt));
    }
    return cells;
  };
  const auto rows_of = [&](const std::vector<std::vector<ordered_json>>& documents) {
    std::vector<double> in_order;
    for (std::size_t s = 0; s < documents[0].size(); ++s) {
      const auto stddev = wear_figure("stddev");
      in_order.push_back(stddev(documents[0][s]) < stddev(documents[1][s]) ? 1 : 0);
    }
    return ordered_json::array(
        {make_row(frame, {"with wear management"}, wear_cells(documents[0], "table4.with")),
         make_row(frame, {"without"}, wear_cells(documents[1], "table4.without")),
         make_row(frame, {"with against without"},
                  {make_cell("order", 1, summarize(in_order), context.tolerances.find({"flexfs-table4"}, "order"),
                             false, "1: as the paper's deviations are")})});
  };
  const std::vector<FlexFsRun> main{all_runs(Wear::managed)[0], all_runs(Wear::unmanaged)[0]};
  const auto documents = run_flexfs(context, main);
  ordered_json rows = rows_of(documents);
  ordered_json series = ordered_json::array();
  for (std::size_t i = 0; i < main.size(); ++i) series.push_back(erase_counts(main[i].label, documents[i].front()));
  for (const Wear wear : {Wear::managed, Wear::unmanaged}) {
    std::vector<FlexFsRun> others = all_runs(wear);
    others.erase(others.begin());
    const auto found = run_flexfs(context, others);
    const std::string prefix = wear == Wear::managed ? "with, unpublished: " : "without, unpublished: ";
    for (std::size_t i = 0; i < others.size(); ++i) {
      rows.push_back(make_row(frame, {i == 0 ? others[i].label : prefix + others[i].label}, wear_cells(found[i], "")));
    }
  }
  return experiment_json(
      frame, context.seeds, rows,
      {"The pattern of the overwrites is not published and decides how often whole segments become free by themselves: "
       "rows \"unpublished\" name the range. The default is the pattern with the fewest assumptions: every file as "
       "likely as "
       "every other. With 40 MiB of "
       "files instead of 60 the same pattern comes near both published rows; in turn (sequential) gives less spread, "
       "hot and cold files more.",
       "With scheme la averages are lower: hot files stay in the SLC region, so that less is written than Eq. 8 "
       "assumes.",
       "The paper's most erased segment stays at 10 cycles. Here some go beyond: a budget is one of bytes, and wear "
       "leveling takes the least erased of the free segments, while those that cold data keeps do not wear.",
       "Segments that hold data nobody rewrites are not erased; the paper does not say whether its wear leveling moves "
       "such data. Row \"level_gap 4\" does so in idle time, with wear management, and comes near the published "
       "spread."},
      {{{"name", "flexfs-fig15"},
        {"title", "Erase cycles of the segments, most erased first"},
        {"caption", "Fig. 15 of the paper shows the same distribution; the first seed."},
        {"kind", "line"},
        {"x", {{"title", "segment"}, {"unit", ""}, {"scale", "linear"}}},
        {"y", {{"title", "erase cycles"}, {"unit", ""}, {"scale", "linear"}}},
        {"series", series}}},
      sensitivity_of(context, frame, open_values(main[0]), rows_under(main, rows_of)));
}

}  // namespace ftlab::platform
