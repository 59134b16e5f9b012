// Section 5.2: CAT against the other policies when 95 % of the writes go to 5 % of the data.
#include <cmath>

#include "platform/run/reproduce/fms_cells.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

/// Percent by which a is above b, seed by seed.
Sample percent_over(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> values;
  values.reserve(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) values.push_back(100 * (a[i] / b[i] - 1));
  return summarize(values);
}

ordered_json counts_table(const std::vector<CellFigures>& figures) {
  std::string line = "Our counts (E, B, throughput in bytes/s):";
  for (std::size_t i = 0; i < kFmsPolicies.size(); ++i) {
    const auto mean = [](const std::vector<double>& v) { return std::to_string(std::lround(summarize(v).mean)); };
    line += std::string(i == 0 ? " " : "; ") + kFmsPolicies[i].title + " " + mean(figures[i].erasures) + ", " +
            mean(figures[i].blocks_copied) + ", " + mean(figures[i].throughput);
  }
  return line + ".";
}

}  // namespace

ordered_json run_fms_locality_95(ExperimentContext& context) {
  const spec::TomlFile paper = fms_reference();
  std::vector<FmsCell> cells;
  cells.reserve(kFmsPolicies.size());
  for (const auto& policy : kFmsPolicies) {
    cells.push_back({"pentium-133",
                     "locality",
                     policy.name,
                     {{"workload.hot_access", "0.95", "reproduce"}, {"workload.hot_data", "0.05", "reproduce"}}});
  }
  const std::vector<CellFigures> figures = run_cells(context, cells);
  const CellFigures& cat = figures[2];
  ordered_json rows = ordered_json::array();
  for (std::size_t rival = 0; rival < 2; ++rival) {
    const std::string name = kFmsPolicies[rival].name;
    const CellFigures& other = figures[rival];
    const auto cell = [&](const std::string& what, const Sample& ours, const char* tolerance) {
      return make_cell(what, paper.get_number("locality95." + what + "_vs_" + name, -1000, 1000), ours,
                       context.tolerances.find({"fms-locality-95"}, tolerance), false);
    };
    rows.push_back(
        {{"keys", {{"comparison", std::string("CAT against ") + kFmsPolicies[rival].title}}},
         {"cells",
          ordered_json::array({cell("erasures", percent_over(cat.erasures, other.erasures), "counts"),
                               cell("blocks_copied", percent_over(cat.blocks_copied, other.blocks_copied), "counts"),
                               cell("throughput", percent_over(cat.throughput, other.throughput), "throughput")})}});
  }
  ordered_json json;
  json["name"] = "fms-locality-95";
  json["title"] = "95 % of writes to 5 % of data: CAT against the others";
  json["paper_source"] = paper.get_string("locality95.source");
  json["about"] = "Pentium 133, otherwise as Table 4. Percent, deviations in percentage points.";
  json["seeds"] = context.seeds;
  json["verdict"] = overall_verdict(rows);
  json["keys"] = ordered_json::array({{{"name", "comparison"}, {"title", "Comparison"}}});
  json["quantities"] =
      ordered_json::array({quantity("erasures", "Erasures", "%", 2), quantity("blocks_copied", "Blocks copied", "%", 2),
                           quantity("throughput", "Throughput", "%", 2)});
  json["rows"] = rows;
  json["notes"] = ordered_json::array({counts_table(figures)});
  return json;
}

}  // namespace ftlab::platform
