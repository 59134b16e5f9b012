// Fig. 11: the share of elapsed time that goes into cleaning, mean of the three policies.
#include "platform/run/reproduce/fms_cells.h"

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
      rows.push_back({{"keys", {{"machine", host.title}, {"workload", workload.title}}},
                      {"cells", ordered_json::array(
                                    {make_cell("share", published, summarize(means),
                                               context.tolerances.find({"fms-breakdown." + host_name}, "share"), false,
                                               odd ? "known not to fit, as the throughput of these cells" : "")})}});
    }
  }
  ordered_json json;
  json["name"] = "fms-breakdown";
  json["title"] = "Fig. 11: share of elapsed time spent cleaning";
  json["paper_source"] = paper.get_string("breakdown.source");
  json["about"] = "Time booked under cleaning (victim selection, copies, erasures, headers) / elapsed time.";
  json["seeds"] = context.seeds;
  json["verdict"] = overall_verdict(rows);
  json["keys"] =
      ordered_json::array({{{"name", "machine"}, {"title", "Machine"}}, {{"name", "workload"}, {"title", "Workload"}}});
  json["quantities"] = ordered_json::array({quantity("share", "Cleaning share", "%", 2)});
  json["rows"] = rows;
  json["notes"] = ordered_json::array();
  return json;
}

}  // namespace ftlab::platform
