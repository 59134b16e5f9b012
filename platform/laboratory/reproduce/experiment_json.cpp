#include "platform/laboratory/reproduce/experiment_json.h"

#include <algorithm>

namespace ftlab::platform {

using nlohmann::ordered_json;

ordered_json make_row(const ExperimentFrame& frame, const std::vector<std::string>& keys,
                      const std::vector<ordered_json>& cells) {
  ordered_json row;
  for (std::size_t i = 0; i < keys.size(); ++i) row["keys"][frame.keys.at(i).name] = keys[i];
  row["cells"] = cells;
  return row;
}

void keep_quantities(ordered_json& row, std::initializer_list<std::string_view> quantities) {
  ordered_json kept = ordered_json::array();
  for (const ordered_json& cell : row.at("cells")) {
    const auto name = cell.at("quantity").get<std::string_view>();
    if (std::ranges::find(quantities, name) != quantities.end()) kept.push_back(cell);
  }
  row["cells"] = kept;
}

ordered_json experiment_json(const ExperimentFrame& frame, const std::vector<std::uint64_t>& seeds,
                             const ordered_json& rows, const std::vector<std::string>& notes,
                             const std::vector<ordered_json>& plots, const ordered_json& sensitivity) {
  ordered_json json;
  json["name"] = frame.name;
  json["title"] = frame.title;
  json["paper_source"] = frame.paper_source;
  json["about"] = frame.about;
  json["seeds"] = seeds;
  json["verdict"] = overall_verdict(rows);
  json["keys"] = ordered_json::array();
  for (const Column& key : frame.keys) json["keys"].push_back({{"name", key.name}, {"title", key.title}});
  json["quantities"] = ordered_json::array();
  for (const Column& column : frame.quantities) {
    json["quantities"].push_back(
        {{"name", column.name}, {"title", column.title}, {"unit", column.unit}, {"decimals", column.decimals}});
  }
  json["rows"] = rows;
  if (!plots.empty()) json["plots"] = plots;
  if (!sensitivity.is_null()) json["sensitivity"] = sensitivity;
  json["notes"] = notes;
  return json;
}

}  // namespace ftlab::platform
