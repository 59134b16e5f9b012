#include "platform/run/reproduce/reproduce.h"

#include <algorithm>

#include "common/input_error.h"
#include "platform/config/data_files.h"
#include "platform/run/reproduce/experiment.h"
#include "platform/run/reproduce/fms_cells.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

const Experiment& find_experiment(const std::string& name) {
  std::vector<std::string> known;
  for (const Experiment& experiment : experiments()) {
    if (name == experiment.name) return experiment;
    known.emplace_back(experiment.name);
  }
  const std::string near = spec::nearest_name(name, known);
  throw InputError("no experiment is named '" + name + "'" + (near.empty() ? "" : "; did you mean '" + near + "'?") +
                   " (ftlab reproduce --list)");
}

/// Every number of the host profiles, fitted or not, beside the cells they produce.
void add_parameters(ordered_json& parameters, const std::string& host) {
  const auto file = spec::TomlFile::load((data_folder("hosts") / (host + ".toml")).string());
  for (const auto& [key, quantity] : file.quantities()) {
    ordered_json row{{"name", key},
                     {"value", quantity.value},
                     {"unit", quantity.unit},
                     {"fitted", quantity.fitted},
                     {"source", quantity.source},
                     {"group", host}};
    if (quantity.estimate) row["note"] = "estimate";
    parameters.push_back(row);
  }
}

/// platform/reference/open_points.toml: what does not reproduce, or cannot be known.
ordered_json open_points() {
  const auto file = spec::TomlFile::load((data_folder("reference") / "open_points.toml").string());
  ordered_json points = ordered_json::array();
  for (const std::string& name : file.get_strings("points")) {
    points.push_back({{"title", file.get_string(name + ".title")}, {"text", file.get_string(name + ".text")}});
  }
  return points;
}

}  // namespace

ordered_json run_reproduce(const ReproduceOptions& options) {
  std::vector<const Experiment*> chosen;
  if (options.names.empty()) {
    for (const Experiment& experiment : experiments()) chosen.push_back(&experiment);
  }
  for (const std::string& name : options.names) chosen.push_back(&find_experiment(name));

  RunBank bank(options.farm);
  const Tolerances tolerances;
  ExperimentContext context{bank, tolerances, options.seeds, options.hosts};
  if (context.hosts.empty()) {
    for (const auto& host : kFmsHosts) context.hosts.emplace_back(host.name);
  }
  ordered_json json;
  json["schema"] = "ftlab-reproduce";
  json["version"] = 1;
  json["title"] = "Published figures, reproduced";
  json["notes"] = ordered_json::array();
  json["experiments"] = ordered_json::array();
  for (const Experiment* experiment : chosen) json["experiments"].push_back(experiment->run(context));
  json["parameters"] = ordered_json::array();
  for (const std::string& host : context.hosts) add_parameters(json["parameters"], host);
  json["not_reproduced"] = open_points();
  return json;
}

}  // namespace ftlab::platform
