// Section 5.2: CAT against the other policies when 95 % of the writes go to 5 % of the data.
#include <cmath>

#include "platform/laboratory/reproduce/experiment_json.h"
#include "platform/laboratory/reproduce/fms_cells.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

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
  const ExperimentFrame frame{"fms-locality-95",
                              "95 % of writes to 5 % of data: CAT against the others",
                              paper.get_string("locality95.source"),
                              "Pentium 133, otherwise as Table 4. Percent, deviations in percentage points.",
                              {{"comparison", "Comparison"}},
                              {{"erasures", "Erasures", "%", 2},
                               {"blocks_copied", "Blocks copied", "%", 2},
                               {"throughput", "Throughput", "%", 2}}};
  ordered_json rows = ordered_json::array();
  for (std::size_t rival = 0; rival < 2; ++rival) {
    const std::string name = kFmsPolicies[rival].name;
    const CellFigures& other = figures[rival];
    const auto cell = [&](const std::string& what, const Sample& ours, const char* tolerance) {
      return make_cell(what, paper.get_number("locality95." + what + "_vs_" + name, -1000, 1000), ours,
                       context.tolerances.find({"fms-locality-95"}, tolerance), false);
    };
    rows.push_back(make_row(frame, {std::string("CAT against ") + kFmsPolicies[rival].title},
                            {cell("erasures", percent_over(cat.erasures, other.erasures), "counts"),
                             cell("blocks_copied", percent_over(cat.blocks_copied, other.blocks_copied), "counts"),
                             cell("throughput", percent_over(cat.throughput, other.throughput), "throughput")}));
  }
  return experiment_json(frame, context.seeds, rows, {counts_table(figures)});
}

}  // namespace ftlab::platform
