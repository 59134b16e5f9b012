// Fig. 11: the share of elapsed time that goes into cleaning, mean of the three policies.
#include "platform/laboratory/reproduce/experiment_json.h"
#include "platform/laboratory/reproduce/fms_cells.h"

namespace ftlab::platform {

using nlohmann::ordered_json;

ordered_json run_fms_breakdown(ExperimentContext& context) {
  const spec::TomlFile paper = fms_reference();
  std::vector<FmsCell> cells;
  for (const auto& host : kFmsHosts) {
    if (!context.wants(host.name)) continue;
    for (const auto& workload : kFmsWorkloads) {
      for (const auto& policy : kFmsPolicies) cells.push_back({host.name, workload.name, policy.name, {}});
    }
  }
  const std::vector<CellFigures> figures = run_cells(context, cells);
  const ExperimentFrame frame{
      "fms-breakdown",
      "Fig. 11: share of elapsed time spent cleaning",
      paper.get_string("breakdown.source"),
      "Time booked under cleaning (victim selection, copies, erasures, headers) / elapsed time.",
      {{"machine", "Machine"}, {"workload", "Workload"}},
      {{"share", "Cleaning share", "%", 2}}};
  ordered_json rows = ordered_json::array();
  std::size_t i = 0;
  for (const auto& host : kFmsHosts) {
    if (!context.wants(host.name)) continue;
    for (const auto& workload : kFmsWorkloads) {
      std::vector<double> means(context.seeds.size(), 0.0);
      for (std::size_t policy = 0; policy < kFmsPolicies.size(); ++policy, ++i) {
        for (std::size_t s = 0; s < means.size(); ++s) {
          means[s] += figures[i].cleaning_share[s] / static_cast<double>(kFmsPolicies.size());
        }
      }
      const std::string host_name = host.name;
      const double published = paper.get_number("breakdown." + host_name + "." + workload.name, 0, 100);
      const bool odd = host_name == "486dx-33" && std::string(workload.name) == "locality";
      rows.push_back(make_row(frame, {host.title, workload.title},
                              {make_cell("share", published, summarize(means),
                                         context.tolerances.find({"fms-breakdown." + host_name}, "share"), false,
                                         odd ? "known not to fit, as the throughput of these cells" : "")}));
    }
  }
  return experiment_json(frame, context.seeds, rows);
}

}  // namespace ftlab::platform
