// Parts that have been worn, stored and read before the run.
#include <gmock/gmock.h>

#include "tests/system/array_study.h"
#include "tests/system/run_here.h"

namespace ftlab::platform {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Settings reading(const Settings& more) {
  return with(
      {set("part", "array-tlc-72l"), set("host", "ssd-controller"), set("ftl.firmware", "page"),
       set("ftl.spare_factor", "0.3"), set("part_overrides.channels", "1"), set("part_overrides.dies_per_channel", "2"),
       set("part_overrides.segments", "64"), set("part_overrides.pages_per_segment", "48"),
       set("part_overrides.content", "bytes"), set("part_overrides.errors.move_bits", "0"),
       set("workload.kind", "uniform"), set("workload.read_share", "0.95"), set("workload.total_mib", "20")},
      more);
}

double retries(const nlohmann::ordered_json& run) { return run["page_reads"]["retries_per_read"].get<double>(); }
double raw(const nlohmann::ordered_json& run) { return run["page_reads"]["raw_bit_error_rate"].get<double>(); }

TEST(ArrayAge, of_cycles_days_heat_and_reads_makes_more_errors_and_retries_and_reads_slower) {
  const auto runs = run_all(
      {reading({}), reading({set("age.cycles", "3000")}), reading({set("age.cycles", "3000"), set("age.days", "365")}),
       reading({set("age.cycles", "3000"), set("age.days", "365"), set("age.temperature_c", "30")}),
       reading({set("age.cycles", "3000"), set("age.reads", "1000")})});
  const auto& fresh = runs[0];
  EXPECT_NEAR(raw(fresh), 1.48e-3, 5e-5);
  EXPECT_EQ(retries(fresh), 0);
  EXPECT_NEAR(raw(runs[1]), 6.72e-3, 1e-4);
  EXPECT_NEAR(raw(runs[2]), 1.14e-2, 3e-4) << "less a little: what is written in the run is new";
  EXPECT_GT(raw(runs[3]), raw(runs[2]) + 1e-3);
  EXPECT_GT(raw(runs[4]), raw(runs[1]) + 4e-3);
  EXPECT_GT(retries(runs[2]), retries(runs[1]));
  EXPECT_GT(retries(runs[1]), 0);
  for (const auto& run : runs) {
    EXPECT_EQ(run["host"]["wrong_reads"], 0);
    EXPECT_EQ(run["host"]["failed_requests"], 0);
    const auto& by_type = run["page_reads"]["raw_bit_error_rate_by_type"];
    EXPECT_NEAR(by_type["msb"].get<double>() / by_type["lsb"].get<double>(), 1.4 / 0.6, 0.05);
    EXPECT_LE(run["wear"]["max"].get<int>(), 3) << "cycles of before are none of the run's";
  }
  EXPECT_GT(runs[2]["latency"]["read"]["mean_s"].get<double>(), fresh["latency"]["read"]["mean_s"].get<double>());
}

TEST(ArrayAge, layers_that_differ_leave_errors_that_ecc_cannot_correct) {
  const Settings aged = reading({set("age.cycles", "3000"), set("age.days", "365")});
  const auto runs = run_all({aged, with(aged, {set("part_overrides.variation.layers", "0.8")})});
  const auto& alike = runs[0]["page_reads"];
  const auto& differ = runs[1]["page_reads"];
  EXPECT_EQ(alike["uncorrectable_codewords"], 0);
  EXPECT_EQ(alike["residual_bit_error_rate"], 0);
  EXPECT_GT(differ["uncorrectable_codewords"], differ["unreadable"]) << "of 16 in a page";
  EXPECT_GT(differ["residual_bit_error_rate_by_type"]["msb"], differ["residual_bit_error_rate_by_type"]["lsb"]);
  EXPECT_GT(differ["residual_bit_error_rate"], 0);
  EXPECT_LT(differ["residual_bit_error_rate"], differ["raw_bit_error_rate"]);
  EXPECT_EQ(runs[1]["host"]["wrong_reads"], 0);
}

TEST(ArrayAge, is_kept_over_losses_of_power) {
  const Settings aged = reading({set("age.cycles", "3000"), set("age.days", "365")});
  const auto runs = run_all({aged, with(aged, {set("power.loss_at_request", "[100, 600]")})});
  EXPECT_NEAR(raw(runs[1]), raw(runs[0]), 2e-4);
  EXPECT_EQ(runs[1]["host"]["wrong_reads"], 0);
  EXPECT_EQ(runs[1]["power_cycles"]["losses"], 2);
  EXPECT_GT(runs[1]["page_reads"]["retries"], runs[0]["page_reads"]["retries"])
      << "the controller has forgotten its steps, and mounts read, too";
}

TEST(ArrayAge, of_what_the_part_cannot_say_is_refused) {
  const Settings keeps = array_study({});
  EXPECT_THAT(refusal(with(keeps, {set("age.days", "30")})), HasSubstr("age.days: data of this part keep for ever"));
  EXPECT_THAT(refusal(with(keeps, {set("age.reads", "30")})), HasSubstr("age.reads: reads do not disturb this part"));
  EXPECT_EQ(refusal(with(keeps, {set("age.cycles", "30")})), "accepted");
  const Settings parametric =
      with(keeps, {set("part_overrides.errors.wear", "1e-6"), set("part_overrides.errors.retention_time", "90 days"),
                   set("age.days", "9")});
  EXPECT_EQ(refusal(parametric), "accepted");
  EXPECT_THAT(refusal(with(parametric, {set("age.temperature_c", "40")})),
              AllOf(HasSubstr("age.temperature_c: the part does not say"), HasSubstr("use 25")));
  EXPECT_THAT(refusal({set("part", "flexonenand-4gb"), set("age.cycles", "30")}), HasSubstr("age.cycles"));
  EXPECT_THAT(refusal({set("age.cycles", "30")}), HasSubstr("age.cycles"));
}

}  // namespace
}  // namespace ftlab::platform
