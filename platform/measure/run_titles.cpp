// A key that is not its default, or what the part makes of it, stands in the line, unless the line says it in words
// already or it has no effect.
#include "platform/measure/run_titles.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "hw/onenand/spec/choices.h"
#include "platform/files/derived_file.h"
#include "platform/study/firmware_row.h"
#include "platform/study/params.h"
#include "platform/study/part_defaults.h"
#include "platform/study/study_files.h"
#include "platform/study/without_effect.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

/// A title stays a line; the configuration lists all of them.
constexpr std::size_t kMaxNamed = 8;

std::string listed(const std::vector<std::string>& items) {
  if (items.size() <= kMaxNamed) return fmt::format("{}", fmt::join(items, ", "));
  return fmt::format("{} and {} more", fmt::join(items.begin(), items.begin() + kMaxNamed, ", "),
                     items.size() - kMaxNamed);
}

std::string value_text(const ParamValue& value) {
  return std::visit(
      [](const auto& v) -> std::string {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, double>) return fmt::format("{:g}", v);
        if constexpr (std::is_same_v<T, std::vector<std::string>> || std::is_same_v<T, std::vector<double>>)
          return fmt::format("[{}]", fmt::join(v, ", "));
        return fmt::format("{}", v);
      },
      value);
}

/// What a study has that says nothing of its load, where the part decides it.
Study with_usual_load(const Study& study) {
  Study usual = study;
  usual.workload.queue_depth = 1;
  usual.workload.warm_up_overwrites = 0;
  usual.generator.overwrites = 0;
  choose_load(usual, kind_of(open_part(study)), [](std::string_view) { return false; });
  return usual;
}

/// What a study has that says nothing but its firmware and its part.
Study usual_of(const Study& study) {
  Study usual;
  usual.ftl.firmware = study.ftl.firmware;
  const FirmwareRow& firmware = firmware_of(study);
  const bool asks_part = firmware.drive_on == DriveOn::arrays || firmware.array_defaults != nullptr;
  take_defaults(usual, asks_part ? kind_of(open_part(study)) : PartKind{}, [](std::string_view) { return false; });
  return usual;
}

/// The values of the keys are those that the study would have without them.
bool is_usual(const Param& param, const Study& study, const Study& usual) {
  if (usual.generator.request_bytes != 0) return param.read(study) == param.read(usual);
  if (param.key == "workload.request_bytes") return study.generator.request_bytes == study.ftl.page_bytes;
  if (param.key == "workload.queue_depth")
    return study.workload.queue_depth == with_usual_load(study).workload.queue_depth;
  if (param.key == "workload.warm_up_overwrites") {
    const Study loaded = with_usual_load(study);
    // The two go together: a study that gives one has nothing of the other.
    if (study.workload.warm_up_overwrites == loaded.workload.warm_up_overwrites &&
        study.generator.overwrites == loaded.generator.overwrites)
      return true;
  }
  return param.read(study) == param.read(usual);
}

/// Of one: "page". Symbols, such as ms, stay.
std::string_view singular(std::string_view unit) {
  return unit.size() > 2 && unit.ends_with('s') ? unit.substr(0, unit.size() - 1) : unit;
}

/// ", low_water = 5, ..." of the keys below `tables` that differ from their defaults and are not `said`.
std::string other_choices(const Study& study, std::span<const std::string_view> tables,
                          std::span<const std::string_view> said) {
  const Study usual = usual_of(study);
  std::vector<std::string> items;
  for (const Param& param : params()) {
    if (!param.read || std::ranges::find(said, param.key) != said.end()) continue;
    if (std::ranges::none_of(tables, [&](std::string_view table) { return param.key.starts_with(table); })) continue;
    if (is_usual(param, study, usual)) continue;
    if (broken_condition(param, study) != nullptr) continue;
    const std::string name = param.key.substr(param.key.find('.') + 1);
    const std::string value = value_text(param.read(study));
    items.push_back(fmt::format("{} = {}{}{}", name, value, param.unit.empty() ? "" : " ",
                                value == "1" ? singular(param.unit) : param.unit));
  }
  return items.empty() ? "" : ", " + listed(items);
}

std::string device_line(const Study& study, const ordered_json& device) {
  const std::string& chosen = study.configs.get<hw::OneNandChoices>().profile;
  const std::string profile = chosen.empty() ? "" : ", profile " + chosen;
  const std::string part = changes_of_part(study);
  const std::string host = changes_of_host(study);
  const std::string core = study.on_core() && !study.core_overrides.empty()
                               ? changes_text(open_core(study), study.core_overrides)
                               : std::string{};
  const std::string changed = core + (core.empty() || host.empty() ? "" : ", ") + host;
  return fmt::format("{}{}{}{} at {:g} V on {}{}", device.at("title").get<std::string>(), profile,
                     part.empty() ? "" : ", changed: " + part, profile.empty() && part.empty() ? "" : ",",
                     device.at("supply_v").get<double>(), device.at("host_title").get<std::string>(),
                     changed.empty() ? "" : ", changed: " + changed);
}

std::string page_text(std::uint64_t bytes) {
  return bytes % 1024 == 0 ? fmt::format("{} KiB", bytes / 1024) : fmt::format("{} B", bytes);
}

std::string firmware_line(const Study& study) {
  const FirmwareRow& firmware = firmware_of(study);
  const std::string own = fmt::format("{}.", firmware.table.name);
  std::vector<std::string_view> tables{"ftl.", "driver."};
  if (!firmware.table.name.empty()) tables.push_back(own);
  std::vector<std::string_view> said{"ftl.firmware", "ftl.page_bytes", "ftl.utilization"};
  said.insert(said.end(), firmware.said.begin(), firmware.said.end());
  // How full it is, a program of one's own says to nobody.
  const bool filled =
      firmware.program == nullptr && (study.workload.kind != "scenario" || !firmware.scenarios_take_all);
  return fmt::format("{}, {} pages{}{}", firmware.title(study), page_text(study.ftl.page_bytes),
                     filled ? fmt::format(", {:.1f} % full", study.ftl.utilization * 100) : "",
                     other_choices(study, tables, said));
}

std::string arrival_text(const Study& study) {
  switch (study.arrival.kind) {
    case workloads::Arrival::closed_loop:
      return "each request after the one before";
    case workloads::Arrival::poisson:
      return fmt::format("arriving at random every {:g} s", study.arrival.mean_interarrival_s);
    case workloads::Arrival::trace:
      return "arriving as in the " + study.workload.kind;
  }
  return {};
}

/// ", 3 losses of power planned".
std::string losses_text(const PowerChoices& power) {
  const std::size_t losses = power.losses();
  return losses == 0 ? "" : fmt::format(", {} loss{} of power planned", losses, losses == 1 ? "" : "es");
}

std::string workload_line(const Study& study, const ordered_json& workload) {
  static constexpr std::array<std::string_view, 1> kTables{"workload."};
  static constexpr std::array<std::string_view, 23> kSaid{"workload.kind",         "workload.sha256",
                                                          "workload.fill",         "workload.scenario",
                                                          "workload.path",         "workload.format",
                                                          "workload.device",       "workload.address",
                                                          "workload.write_scale",  "workload.reads",
                                                          "workload.repeat",       "workload.traced_mib",
                                                          "workload.pass_shift",   "workload.limit_requests",
                                                          "workload.hot_access",   "workload.hot_data",
                                                          "workload.class_access", "workload.class_data",
                                                          "workload.total_mib",    "workload.overwrites",
                                                          "workload.arrival",      "workload.mean_interarrival_s",
                                                          "workload.read_share"};
  const bool scenario = study.workload.kind == "scenario";
  const std::string fill = study.workload.fill == !scenario ? ""
                           : scenario                       ? ", on a filled device"
                                                            : ", on an empty device";
  const std::string others = fill + other_choices(study, kTables, kSaid) + losses_text(study.power);
  const std::string title = workload.at("title").get<std::string>();
  if (study.workload.kind == "trace") {
    const ordered_json& trace = workload.at("trace");
    return fmt::format("{} ({}; {}; {}){}", title, trace.at("format").get<std::string>(),
                       trace.at("mapping").get<std::string>(), arrival_text(study), others);
  }
  const std::string changed = scenario ? changes_of_scenario(study) : std::string{};
  const workloads::Arrival usual = scenario ? workloads::Arrival::trace : workloads::Arrival::closed_loop;
  return fmt::format("{}{}{}{}", title, changed.empty() ? "" : ", changed: " + changed,
                     study.arrival.kind == usual ? "" : ", " + arrival_text(study), others);
}

}  // namespace

std::string changes_of_part(const Study& study) {
  return study.part_overrides.empty() ? "" : changes_text(open_part(study), study.part_overrides);
}

std::string changes_of_host(const Study& study) {
  return study.host_overrides.empty() ? "" : changes_text(open_host(study), study.host_overrides);
}

std::string changes_of_scenario(const Study& study) {
  return study.scenario_overrides.empty() ? "" : changes_text(open_scenario(study), study.scenario_overrides);
}

ordered_json run_titles(const Study& study, const ordered_json& sections) {
  return {{"device", device_line(study, sections.at("device"))},
          {"firmware", firmware_line(study)},
          {"workload", workload_line(study, sections.at("workload"))}};
}

}  // namespace ftlab::platform
