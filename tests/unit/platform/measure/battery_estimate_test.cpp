#include "platform/measure/battery_estimate.h"

#include <gtest/gtest.h>

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

/// 2 MiB written in 100 s: 20 J of operations, 10 J of standby.
ordered_json sample_result() {
  return {{"config", {{"power", {{"battery_wh", 1.0}, {"system_w", 0.4}, {"write_mib_per_hour", 36.0}}}}},
          {"device", {{"supply_v", 5.0}}},
          {"host", {{"bytes_written", 2 * 1024 * 1024}}},
          {"time", {{"simulated_s", 100.0}}},
          {"energy",
           {{"total_j", 30.0},
            {"by_state_j", {{"active", 20.0}, {"standby", 10.0}, {"sleep", 0.0}}},
            {"by_cause_j", {{"host", 5.0}, {"clean", 15.0}}},
            {"by_operation_j", {{"erase", 12.0}, {"buffer_program", 8.0}}}}}};
}

TEST(BatteryEstimate, energy_per_mib_sums_to_the_total_over_causes_and_operations) {
  const ordered_json row = energy_per_mib("CAT", sample_result());
  EXPECT_DOUBLE_EQ(row["total_j"].get<double>(), 15);
  for (const char* split : {"by_cause_j", "by_operation_j"}) {
    double sum = 0;
    for (const auto& [name, joules] : row[split].items()) sum += joules.get<double>();
    EXPECT_DOUBLE_EQ(sum, 15) << split;
  }
}

TEST(BatteryEstimate, a_charge_lasts_as_the_rate_of_writing_and_the_rest_of_the_machine_allow) {
  const ordered_json row = battery_row("CAT", sample_result());
  EXPECT_DOUBLE_EQ(row["mib_per_charge"].get<double>(), 3600.0 / 15);
  // 0.4 W system + 0.1 W standby + 0.01 MiB/s * 10 J/MiB
  EXPECT_NEAR(row["hours_per_charge"].get<double>(), 1.0 / 0.6, 1e-9);
}

TEST(BatteryEstimate, nothing_written_has_no_figure_per_mib) {
  ordered_json result = sample_result();
  result["host"]["bytes_written"] = 0;
  EXPECT_TRUE(battery_row("idle", result)["mib_per_charge"].is_null());
}

}  // namespace
}  // namespace ftlab::platform
