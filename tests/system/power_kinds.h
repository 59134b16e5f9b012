// Small parts under each firmware that tests take the supply from, and what has to balance in their results.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "tests/system/run_here.h"
#include "tests/system/settings.h"

namespace ftlab::platform {

/// A small part under a firmware, and how long its run takes, roughly.
struct Kind {
  const char* name;
  Settings settings;
  double seconds;
  bool verified = true;
};

inline Settings small_array(const char* part, const Settings& more) {
  return with({set("part", part), set("part_overrides.channels", "2"), set("part_overrides.dies_per_channel", "2"),
               set("part_overrides.segments", "128"), set("part_overrides.pages_per_segment", "16"),
               set("part_overrides.page_bytes", "4096"), set("ftl.spare_factor", "0.25"),
               set("workload.warm_up_overwrites", "0.2"), set("workload.total_mib", "3")},
              more);
}

inline const Settings kSuspends{set("driver.suspend_programs", "true"), set("driver.suspend_erases", "true")};

/// Four mapping units in a page.
inline const Settings kUnits{set("part_overrides.content", "bytes"), set("part_overrides.page_bytes", "16384"),
                             set("part_overrides.pages_per_segment", "6"), set("ftl.page_bytes", "4096")};

inline const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{
      {"fms_card", small_study({{"workload.total_mib", "3"}}), 25},
      {"page_card",
       {set("part", "series2plus-4mb"), set("ftl.firmware", "page"), set("ftl.spare_factor", "0.3"),
        set("workload.total_mib", "3")},
       15},
      {"fms_onenand",
       {set("part", "flexonenand-4gb"), set("ftl.utilization", "0.02"), set("workload.total_mib", "4")},
       4},
      {"flexfs",
       {set("part", "flexonenand-4gb"), set("part_profile", "flexfs-calibrated"), set("host", "omap2420-400"),
        set("ftl.firmware", "flexfs"), set("flexfs.partition_mib", "16"), set("workload.total_mib", "8")},
       50},
      {"flexfs_array",
       small_array("array-mlc", {set("part_overrides.channels", "1"), set("part_overrides.dies_per_channel", "1"),
                                 set("part_overrides.content", "bytes"), set("ftl.firmware", "flexfs")}),
       3},
      {"page_onenand",
       {set("part", "flexonenand-8gb-ddp"), set("part_overrides.segments_per_die", "16"),
        set("part_overrides.bad_segments.reserve", "1"), set("ftl.firmware", "page"), set("ftl.spare_factor", "0.4"),
        set("workload.total_mib", "6")},
       1},
      {"array_bytes", small_array("array-tlc", {set("part_overrides.content", "bytes")}), 0.5},
      {"array_suspending", small_array("array-mlc", with(kSuspends, {set("part_overrides.content", "bytes")})), 0.5},
      {"array_checkpoints",
       small_array("array-slc", {set("part_overrides.content", "bytes"), set("ftl.checkpoint_every", "300")}), 0.2},
      {"array_tags", small_array("array-tlc", {}), 0.5, false},
      {"array_units", with(small_array("array-tlc", {}), kUnits), 0.5},
      {"array_units_buffered", with(small_array("array-tlc", {set("ftl.write_buffer", "40")}), kUnits), 0.1},
      {"array_units_protected",
       with(small_array("array-mlc",
                        {set("ftl.write_buffer", "40"), set("part_overrides.controller.open_wordlines", "lost"),
                         set("part_overrides.controller.power_loss_protection", "true")}),
            kUnits),
       0.1},
      {"array_units_suspending", with(small_array("array-mlc", kSuspends), kUnits), 0.5},
  };
  return all;
}

inline const Kind& kind_of(const std::string& name) {
  return *std::ranges::find(kinds(), name, [](const Kind& k) { return std::string(k.name); });
}

inline double number_at(const nlohmann::ordered_json& run, const char* pointer) {
  return run.at(nlohmann::ordered_json::json_pointer(pointer)).get<double>();
}

inline void expect_balances(const nlohmann::ordered_json& run) {
  EXPECT_NEAR(sum_of(run["time"]["by_cause_s"]), run["time"]["simulated_s"], 1e-9);
  const nlohmann::ordered_json& energy = run["energy"];
  EXPECT_NEAR(sum_of(energy["by_cause_j"]), energy["by_state_j"]["active"], 1e-9);
  EXPECT_NEAR(sum_of(energy["by_operation_j"]), energy["by_state_j"]["active"], 1e-9);
  for (const auto& [cause, joules] : energy["by_cause_j"].items()) EXPECT_GE(joules.get<double>(), 0) << cause;
  if (run.contains("dies")) {
    for (const char* by : {"time_by_cause_s", "time_by_operation_s"}) {
      for (const auto& [name, s] : run["dies"][by].items()) EXPECT_GE(s.get<double>(), 0) << by << " " << name;
    }
  }
  if (!run.contains("timeline")) return;
  // Sums over all mount sessions: none is lost, and none is counted twice.
  for (const char* flow : {"time_s", "requests", "erases", "pages_copied"}) {
    // Of an array a loss takes off what was queued.
    if (run.contains("dies") && (flow == std::string_view("erases") || flow == std::string_view("pages_copied")))
      continue;
    EXPECT_TRUE(std::ranges::is_sorted(run["timeline"][flow].get<std::vector<double>>())) << flow;
  }
  EXPECT_EQ(run["timeline"]["erases"].back(), run["flash"]["erases"]);
  EXPECT_EQ(run["timeline"]["pages_copied"].back(), run["flash"]["pages_copied"]);
}

}  // namespace ftlab::platform
