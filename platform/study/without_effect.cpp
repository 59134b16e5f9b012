#include "platform/study/without_effect.h"

#include <fmt/format.h>

#include <algorithm>

namespace ftlab::platform {
namespace {

bool is_generated(const Study& s) {
  return s.workload.kind != WorkloadKind::scenario && s.workload.kind != WorkloadKind::trace;
}

struct Row {
  std::string_view keys;  ///< a key, or the beginning of several that ends with a dot
  Condition condition;
};

constexpr Condition kFms{"ftl.firmware = \"fms\"", [](const Study& s) { return s.ftl.firmware == Firmware::fms; }};
constexpr Condition kFlexFs{"ftl.firmware = \"flexfs\"",
                            [](const Study& s) { return s.ftl.firmware == Firmware::flexfs; }};
constexpr Condition kSwap{"ftl.firmware = \"fms\" and ftl.wear_leveling = \"swap\"",
                          [](const Study& s) { return s.ftl.wear_leveling == "swap" && kFms.holds(s); }};
constexpr Condition kIdleCleaning{"ftl.firmware = \"fms\" and ftl.idle_cleaning = true",
                                  [](const Study& s) { return s.ftl.idle_cleaning && kFms.holds(s); }};
constexpr Condition kGenerated{"a generated workload (workload.kind = \"sequential\", \"uniform\", ...)", is_generated};
constexpr Condition kHotCold{"workload.kind = \"hot_cold\"",
                             [](const Study& s) { return s.workload.kind == WorkloadKind::hot_cold; }};
constexpr Condition kClasses{"workload.kind = \"classes\"",
                             [](const Study& s) { return s.workload.kind == WorkloadKind::classes; }};
constexpr Condition kScenario{"workload.kind = \"scenario\"",
                              [](const Study& s) { return s.workload.kind == WorkloadKind::scenario; }};
constexpr Condition kTrace{"workload.kind = \"trace\"",
                           [](const Study& s) { return s.workload.kind == WorkloadKind::trace; }};
constexpr Condition kPoisson{"workload.arrival = \"poisson\"",
                             [](const Study& s) { return s.workload.arrival == Arrival::poisson; }};
constexpr Condition kClosed{"workload.arrival = \"closed\"",
                            [](const Study& s) { return s.workload.arrival == Arrival::closed; }};

constexpr Row kRows[] = {
    {"ftl.selection", kFms},
    {"ftl.redistribution", kFms},
    {"ftl.low_water", kFms},
    {"ftl.high_water", kFms},
    {"ftl.age_clock", kFms},
    {"ftl.read_only", kFms},
    {"ftl.wear_leveling", kFms},
    {"ftl.swap_start", kSwap},
    {"ftl.swap_spread", kSwap},
    {"ftl.idle_water", kIdleCleaning},
    {"ftl.idle_min_s", kIdleCleaning},
    {"flexfs.", kFlexFs},
    {"workload.scenario", kScenario},
    {"workload.hot_access", kHotCold},
    {"workload.hot_data", kHotCold},
    {"workload.class_access", kClasses},
    {"workload.class_data", kClasses},
    {"workload.total_mib", kGenerated},
    {"workload.request_bytes", kGenerated},
    {"workload.read_share", kGenerated},
    {"workload.mean_interarrival_s", kPoisson},
    {"workload.idle_every", kClosed},
    {"workload.idle_s", kClosed},
    {"workload.path", kTrace},
    {"workload.format", kTrace},
    {"workload.device", kTrace},
    {"workload.action", kTrace},
    {"workload.address", kTrace},
    {"workload.write_scale", kTrace},
    {"workload.reads", kTrace},
    {"workload.limit_requests", kTrace},
    {"workload.repeat", kTrace},
};

}  // namespace

const Condition* condition_of(std::string_view key) {
  const auto row = std::ranges::find_if(
      kRows, [key](const Row& r) { return r.keys.ends_with('.') ? key.starts_with(r.keys) : key == r.keys; });
  return row != std::end(kRows) ? &row->condition : nullptr;
}

std::vector<std::string> without_effect(const Study& study, const std::vector<const Param*>& given) {
  std::vector<std::string> lines;
  for (const Param* param : given) {
    const Condition* condition = condition_of(param->key);
    if (condition == nullptr || is_default(*param, study) || condition->holds(study)) continue;
    lines.push_back(
        fmt::format("{}has no effect in this study; it counts with {}", study.where_of(param->key), condition->with));
  }
  return lines;
}

}  // namespace ftlab::platform
