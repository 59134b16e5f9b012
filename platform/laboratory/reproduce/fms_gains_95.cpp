// Section 6.3.5 of the report: how many erasures fine-grained redistribution (M6) saves over M1 and M4.
#include "platform/laboratory/reproduce/experiment_json.h"
#include "platform/laboratory/reproduce/fms_cells.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

constexpr std::array<NamedChoice, 3> kMethods{{{"sequential", "M1"}, {"segment_based", "M4"}, {"fine_grained", "M6"}}};

/// Percent fewer erasures in `ours` than in `base`, seed by seed.
Sample percent_saved(const CellFigures& ours, const CellFigures& base) {
  Sample saved = percent_over(ours.erasures, base.erasures);
  saved.mean = -saved.mean;
  return saved;
}

}  // namespace

ordered_json run_fms_gains_95(ExperimentContext& context) {
  const spec::TomlFile paper = fms_reference();
  const ExperimentFrame frame{
      "fms-gains-95",
      "What M6 saves over M1 and M4 when 95 % of writes go to 5 % of data",
      paper.get_string("gains.source"),
      "Percent fewer erasures; Pentium 133, otherwise as Table 4. The report states the largest gain over all "
      "localities; ours is that at 95/5, so the figures are reported, not judged.",
      {{"policy", "Selection"}, {"over", "M6 against"}},
      {{"saved", "Fewer erasures", "%", 2}}};
  std::vector<FmsCell> cells;
  for (const auto& policy : kFmsPolicies) {
    for (const auto& method : kMethods) {
      cells.push_back({"pentium-133",
                       "locality",
                       policy.name,
                       {{"workload.hot_access", "0.95", "reproduce"},
                        {"workload.hot_data", "0.05", "reproduce"},
                        {"ftl.redistribution", method.name, "reproduce"}}});
    }
  }
  const std::vector<CellFigures> figures = run_cells(context, cells);
  ordered_json rows = ordered_json::array();
  for (std::size_t p = 0; p < kFmsPolicies.size(); ++p) {
    const CellFigures& fine = figures[p * kMethods.size() + 2];
    for (std::size_t m = 0; m < 2; ++m) {
      const std::string key = std::string("gains.") + kFmsPolicies[p].name + "_over_" + kMethods[m].name;
      rows.push_back(make_row(frame, {kFmsPolicies[p].title, kMethods[m].title},
                              {make_cell("saved", paper.get_number(key, 0, 100),
                                         percent_saved(fine, figures[p * kMethods.size() + m]), std::nullopt, false)}));
    }
  }
  return experiment_json(frame, context.seeds, rows);
}

}  // namespace ftlab::platform
