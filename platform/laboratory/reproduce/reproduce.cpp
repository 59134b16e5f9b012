#include "platform/laboratory/reproduce/reproduce.h"

#include <algorithm>
#include <string_view>

#include "common/input_error.h"
#include "platform/files/data_files.h"
#include "platform/files/scenario_file.h"
#include "platform/laboratory/reproduce/experiment.h"
#include "platform/laboratory/reproduce/fms_cells.h"
#include "platform/laboratory/reproduce/unpublished_parameters.h"
#include "platform/study/json_pointer.h"
#include "platform/study/params.h"

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

/// Every key of the firmware and every number of the scenarios that the paper leaves open; experiments vary them.
void add_unpublished_parameters(ordered_json& parameters) {
  for (const UnpublishedParameter& key : unpublished_keys(parse_study("", "reproduce"), "flexfs")) {
    parameters.push_back({{"name", key.name},
                          {"value", key.used},
                          {"unit", ""},
                          {"fitted", false},
                          {"free", true},
                          {"source", find_param(key.name)->help},
                          {"group", "flexfs"}});
  }
  for (const std::string& scenario : data_names("scenarios")) {
    const auto file = spec::TomlFile::load((data_folder("scenarios") / (scenario + ".toml")).string());
    const std::vector<std::string> unpublished = unpublished_parameters(file);
    for (const auto& [key, quantity] : file.quantities()) {
      if (std::ranges::find(unpublished, key) == unpublished.end()) continue;
      parameters.push_back({{"name", key},
                            {"value", quantity.value},
                            {"unit", quantity.unit},
                            {"fitted", false},
                            {"free", true},
                            {"source", quantity.source},
                            {"group", scenario}});
    }
  }
}

bool flag(const spec::TomlFile& file, const std::string& key) { return file.has(key) && file.get_bool(key); }

/// The choices behind every fms-* cell that the papers do not publish.
void add_choices(ordered_json& parameters) {
  const spec::TomlFile file = fms_reference();
  const Study study = parse_study("", "reproduce", fms_settings({kFmsHosts[0].name, "locality", "cat", {}}));
  const ordered_json config = resolved_config(study);
  for (const std::string& name : file.get_strings("choices.names")) {
    const std::string at = "choices." + name;
    ordered_json value;
    if (name == "logical_pages") {
      value = fms_logical_pages(study);
    } else if (file.has(at + ".key")) {
      value = config.at(pointer_to(file.get_string(at + ".key")));
    } else if (name == "age_exponent") {
      value = file.get_number(at + ".value", 0, 1);
    } else {
      value = file.get_string(at + ".value");
    }
    ordered_json row{{"name", name},
                     {"title", file.get_string(at + ".title")},
                     {"value", value},
                     {"unit", file.get_string(at + ".unit")},
                     {"fitted", flag(file, at + ".fitted")},
                     {"free", flag(file, at + ".free")},
                     {"source", file.get_string(at + ".source")},
                     {"group", "fms"}};
    if (flag(file, at + ".estimate")) row["note"] = "estimate";
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

  RunBank bank(options.pool);
  const Tolerances tolerances;
  ExperimentContext context{bank, tolerances, options.seeds, options.hosts, options.vary};
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
  const auto any = [&chosen](std::string_view prefix) {
    return std::ranges::any_of(chosen,
                               [prefix](const Experiment* e) { return std::string_view(e->name).starts_with(prefix); });
  };
  if (any("fms-")) add_choices(json["parameters"]);
  if (any("fms-")) {
    for (const std::string& host : context.hosts) add_parameters(json["parameters"], host);
  }
  if (any("flexfs") || any("fms-onenand")) add_parameters(json["parameters"], "omap2420-400");
  if (any("flexfs")) add_unpublished_parameters(json["parameters"]);
  json["not_reproduced"] = open_points();
  return json;
}

}  // namespace ftlab::platform
