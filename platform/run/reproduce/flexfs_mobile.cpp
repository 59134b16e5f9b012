// Table 6 and Fig. 16 of the FlexFS paper: FlexFS on SLC and MLC and a JFFS2-like file system under mobile
// applications.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "platform/run/reproduce/experiment_json.h"
#include "platform/run/reproduce/flexfs_cells.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

// The MP3 files: "starting from 750 seconds", done around 840.
constexpr double kBurstFromS = 750;
constexpr double kBurstToS = 840;
// "At around 1,200 seconds the wear management policy reduces the value of delta".
constexpr double kAfterBurstS = 1200;
constexpr double kSampleS = 30;
constexpr double kEndS = 1800;

/// Free value, see the file.
double page_cache_misses() { return flexfs_reference().get_quantity("choices.page_cache_misses").value; }

struct FileSystem {
  const char* name;  ///< in the reference
  const char* title;
  const char* scheme;
};

constexpr std::array<FileSystem, 3> kFileSystems{
    {{"slc", "FlexFS_SLC", "slc_only"}, {"mlc", "FlexFS_MLC", "la"}, {"jffs2", "JFFS2", "jffs2"}}};
constexpr std::size_t kMlc = 1;

Setting cache_misses(double share) {
  return {"workload.page_cache_hits", fmt::format("{:.4f}", 1 - share), "reproduce"};
}

FlexFsRun mobile_run(const FileSystem& fs) {
  return {fs.title,
          fs.scheme,
          "flexfs-mobile",
          {cache_misses(page_cache_misses()),
           {"flexfs.erase_cycles", "10000", "reproduce"},
           {"flexfs.wear_window_s", "600", "reproduce"},
           {"platform.sample_s", fmt::format("{}", kSampleS), "reproduce"}}};
}

std::vector<FreeValue> mobile_values() {
  std::vector<FreeValue> values = scenario_values("flexfs-mobile");
  values.push_back(
      {"page cache misses", {cache_misses(0.8 * page_cache_misses())}, {cache_misses(1.2 * page_cache_misses())}});
  values.push_back(free_price("page_write"));
  values.push_back(free_price("request"));
  values.push_back(free_price("page_read"));
  return values;
}

std::vector<FlexFsRun> mobile_runs() {
  std::vector<FlexFsRun> runs;
  runs.reserve(std::size(kFileSystems));
  for (const FileSystem& fs : kFileSystems) runs.push_back(mobile_run(fs));
  for (FlexFsRun& run : varied(runs[kMlc], mobile_values())) runs.push_back(std::move(run));
  FlexFsRun early = runs[kMlc];
  early.label = "all pictures before the MP3 files";
  early.more.push_back({"scenario_overrides.downloads.camera.first", "\"90 s\"", "reproduce"});
  early.more.push_back({"scenario_overrides.downloads.camera.period", "\"60 s\"", "reproduce"});
  runs.push_back(std::move(early));
  return runs;
}

/// A column of the timeline at a time: the last row not after it.
double column_at(const ordered_json& document, const char* column, double time_s) {
  const auto times = document.at("timeline").at("time_s").get<std::vector<double>>();
  const auto after = std::ranges::upper_bound(times, time_s + kSampleS / 2);
  if (after == times.begin()) return 0;
  return document.at("timeline").at(column).at(static_cast<std::size_t>(after - times.begin()) - 1).get<double>();
}

double change_in_burst(const ordered_json& document, const char* column) {
  return column_at(document, column, kBurstToS) - column_at(document, column, kBurstFromS);
}

double burst_throughput(const ordered_json& document) {
  return change_in_burst(document, "bytes_written") / change_in_burst(document, "write_service_s") * 1e-6;
}

double response_us(const ordered_json& document, const char* kind) {
  return document.at("latency").at(kind).at("mean_s").get<double>() * 1e6;
}

double read_us(const ordered_json& document) { return response_us(document, "read"); }
double write_us(const ordered_json& document) { return response_us(document, "write"); }

/// Mean of delta from the first decision after the burst on.
double delta_after(const ordered_json& document) {
  double sum = 0;
  double n = 0;
  for (double at = kAfterBurstS + kSampleS; at < kEndS; at += kSampleS) {
    sum += column_at(document, "delta", at);
    ++n;
  }
  return sum / n;
}

/// Percent of the pages of the MP3 burst that went to the SLC region.
double burst_in_slc(const ordered_json& document) {
  const double slc = change_in_burst(document, "pages_to_slc");
  return 100 * slc / (slc + change_in_burst(document, "pages_to_mlc"));
}

Sample percent_above_slc(const std::vector<ordered_json>& mlc, const std::vector<ordered_json>& slc,
                         double (*figure)(const ordered_json&)) {
  std::vector<double> found;
  for (std::size_t s = 0; s < mlc.size(); ++s) found.push_back(100 * (figure(mlc[s]) / figure(slc[s]) - 1));
  return summarize(found);
}

ordered_json timeline_plot(const std::string& name, const std::string& title, const std::string& axis,
                           const ordered_json& document,
                           const std::vector<std::pair<const char*, const char*>>& columns) {
  ordered_json series = ordered_json::array();
  for (const auto& [column, label] : columns) {
    ordered_json points = ordered_json::array();
    for (double at = 0; at < kEndS; at += kSampleS) {
      points.push_back({{"x", at}, {"y", column_at(document, column, at)}});
    }
    series.push_back({{"label", label}, {"paper", false}, {"points", points}});
  }
  return {{"name", name},
          {"title", title},
          {"caption", "FlexFS_MLC, every 30 s; the first seed."},
          {"kind", "line"},
          {"x", {{"title", "time"}, {"unit", "s"}, {"scale", "linear"}}},
          {"y", {{"title", axis}, {"unit", ""}, {"scale", "linear"}}},
          {"series", series}};
}

}  // namespace

ordered_json run_flexfs_table6(ExperimentContext& context) {
  const spec::TomlFile paper = flexfs_reference();
  const ExperimentFrame frame{
      "flexfs-table6",
      "Table 6: FlexFS on SLC and MLC, and JFFS2, under mobile applications",
      paper.get_string("table6.source"),
      "30 minutes of mobile applications rebuilt from the published totals, on 512 MB, 10,000 cycles and three years "
      "to "
      "live. Responses are means over all requests; throughput is that of the MP3 files, bytes over the time spent "
      "serving writes between 750 and 840 s.",
      {{"system", "File system"}},
      {{"read", "Read response", "us", 1},
       {"write", "Write response", "us", 0},
       {"throughput", "Write throughput", "MB/s", 2},
       {"read_above", "Reads slower than SLC", "%", 1},
       {"write_above", "Writes slower than SLC", "%", 1}}};
  const std::vector<FlexFsRun> runs = mobile_runs();
  const auto documents = run_flexfs(context, runs);
  const auto judged = [&](const char* quantity) { return context.tolerances.find({"flexfs-table6"}, quantity); };
  ordered_json rows = ordered_json::array();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const bool published = i < kFileSystems.size();
    const auto cell = [&](const char* quantity, double (*figure)(const ordered_json&)) {
      const std::optional<double> value =
          published
              ? std::optional(paper.get_number(fmt::format("table6.{}.{}", kFileSystems[i].name, quantity), 0, 1e6))
              : std::nullopt;
      return make_cell(quantity, value, summarize(each(documents[i], figure)),
                       published ? judged(quantity) : std::nullopt);
    };
    std::vector<ordered_json> cells{cell("read", read_us), cell("write", write_us),
                                    cell("throughput", burst_throughput)};
    if (i == kMlc) {
      cells.push_back(make_cell("read_above", 0, percent_above_slc(documents[i], documents[0], read_us),
                                judged("read_above"), false, "at most 10 % slower than FlexFS_SLC; published: 8.8 %"));
      cells.push_back(make_cell("write_above", 0, percent_above_slc(documents[i], documents[0], write_us),
                                judged("write_above"), false, "at most 4 % slower than FlexFS_SLC; published: 3.3 %"));
    }
    rows.push_back(make_row(frame, {published ? runs[i].label : "FlexFS_MLC, free: " + runs[i].label}, cells));
  }
  return experiment_json(
      frame, context.seeds, rows,
      {"All file systems pay the same processor time for a request and a page; only the allocation differs.",
       fmt::format(
           "A read response below one page load means hits in the page cache: {:.1f} % of the reads hit, a free "
           "value chosen once for FlexFS_SLC.",
           100 * (1 - page_cache_misses())),
       "At the published throughput of FlexFS_SLC the 36 MB of MP3 files and pictures alone take 12.5 s. That is 334 "
       "us "
       "times 37,400 requests, so that hardly any time is left for the small writes, and the split of the 43,000 "
       "requests into reads and writes, which is not published, decides the mean.",
       "Rows \"free\": one unpublished value at a time, 20 % lower and higher; values of one name in all programs "
       "together."});
}

ordered_json run_flexfs_fig16(ExperimentContext& context) {
  const spec::TomlFile paper = flexfs_reference();
  const ExperimentFrame frame{"flexfs-fig16",
                              "Fig. 16: SLC and MLC segments under mobile applications",
                              paper.get_string("fig16.source"),
                              "The runs of flexfs-table6, FlexFS_MLC.",
                              {{"time", "Time"}},
                              {{"slc", "SLC segments", "", 0},
                               {"mlc", "MLC segments", "", 0},
                               {"delta", "delta", "", 2},
                               {"burst_in_slc", "MP3 data to SLC", "%", 1}}};
  const std::vector<FlexFsRun> runs = mobile_runs();
  const auto documents = run_flexfs(context, runs);
  ordered_json rows = ordered_json::array();
  const auto cell = [](const std::vector<ordered_json>& from, const char* quantity, const char* column, double at) {
    return make_cell(quantity, std::nullopt,
                     summarize(each(from, [&](const ordered_json& d) { return column_at(d, column, at); })),
                     std::nullopt);
  };
  for (double at = 0; at < kEndS; at += 5 * kSampleS) {
    rows.push_back(
        make_row(frame, {fmt::format("{:.0f} s", at)},
                 {cell(documents[kMlc], "slc", "slc_segments", at), cell(documents[kMlc], "mlc", "mlc_segments", at),
                  cell(documents[kMlc], "delta", "delta", at)}));
  }
  const auto judged = [&](const char* quantity) { return context.tolerances.find({"flexfs-fig16"}, quantity); };
  for (std::size_t i = kMlc; i < runs.size(); ++i) {
    if (i > kMlc && i < kFileSystems.size()) continue;
    const bool main = i == kMlc;
    rows.push_back(make_row(
        frame, {main ? "after the burst" : "after the burst, free: " + runs[i].label},
        {make_cell("delta", main ? std::optional(paper.get_number("fig16.delta", 0, 1)) : std::nullopt,
                   summarize(each(documents[i], delta_after)), main ? judged("delta") : std::nullopt, false),
         make_cell("burst_in_slc", main ? std::optional(paper.get_number("fig16.burst_in_slc", 0, 100)) : std::nullopt,
                   summarize(each(documents[i], burst_in_slc)), main ? judged("burst_in_slc") : std::nullopt, false)}));
  }
  const ordered_json& shown = documents[kMlc].front();
  return experiment_json(
      frame, context.seeds, rows,
      {"The budget of a window of 10 minutes is what three years leave of 512 MB times 10,000 cycles: about 32 MiB.",
       "delta follows the mean of up to three windows, so it depends on what comes beside the MP3 files: the nine "
       "pictures are spread evenly over the 30 minutes. Were all taken before the MP3 files, delta would fall too soon "
       "for the published outcome, all MP3 data in the SLC region."},
      {timeline_plot("flexfs-fig16", "Segments in use", "segments", shown,
                     {{"slc_segments", "SLC"}, {"mlc_segments", "MLC"}}),
       timeline_plot("flexfs-fig16-delta", "Wear index delta", "delta", shown, {{"delta", "delta"}})});
}

}  // namespace ftlab::platform
