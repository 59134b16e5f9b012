// Runs of decades: sums that are right up to the end of the clock, and one line when a run gets there.
#include <gmock/gmock.h>

#include "tests/system/run_here.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;

std::vector<Setting> card_for_years(std::vector<Setting> more) {
  std::vector<Setting> settings{{"part", "series2plus-24mb"},       {"ftl.utilization", "0.5"},
                                {"workload.arrival", "poisson"},    {"workload.mean_interarrival_s", "1e6"},
                                {"workload.request_bytes", "4096"}, {"workload.total_mib", "0.5"}};
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

TEST(ClockEnd, standby_of_a_card_over_years_is_its_power_times_the_time) {
  const auto runs = run_all({card_for_years({}), card_for_years({{"part", "series2plus-40mb"}})});
  const double components[] = {12, 20};  // dies of 50 uA at 5 V and 1 uA at 12 V
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const double seconds = runs[i]["time"]["simulated_s"];
    EXPECT_GT(seconds, 3 * 365 * 86400.0);
    const double expected = components[i] * (50e-6 * 5 + 1e-6 * 12) * seconds;
    EXPECT_NEAR(runs[i]["energy"]["by_state_j"]["standby"], expected, expected * 0.01) << i;
  }
}

TEST(ClockEnd, pauses_that_reach_it_end_the_run_with_their_key) {
  const std::string message =
      refusal(small_study({{"workload.total_mib", "2"}, {"workload.idle_every", "1"}, {"workload.idle_s", "1e7"}}));
  EXPECT_THAT(message, HasSubstr("simulated time reaches 28 years, where the clock ends; 100 % of it is "));
  EXPECT_THAT(message, HasSubstr("workload.idle_s"));
}

TEST(ClockEnd, work_that_reaches_it_ends_the_run_with_its_key) {
  const std::string message = refusal({{"part", "array-slc"},
                                       {"host", "ssd-controller"},
                                       {"ftl.firmware", "page"},
                                       {"workload.overwrites", "4"},
                                       {"host_overrides.work.page_write", "1 h"}});
  EXPECT_THAT(message, HasSubstr("simulated time reaches 28 years, where the clock ends"));
  EXPECT_THAT(message, HasSubstr("work.page_write of the host"));
}

TEST(ClockEnd, the_longest_mean_gap_of_a_key_is_one_that_runs) {
  (void)run_one_study(card_for_years({{"workload.total_mib", "0.01"}}));
  EXPECT_THAT(refusal(card_for_years({{"workload.mean_interarrival_s", "1.1e6"}})), HasSubstr("mean_interarrival_s"));
  EXPECT_THAT(refusal(card_for_years({{"workload.mean_interarrival_s", "1.1e6"}})), HasSubstr("1000000"));
}

TEST(ClockEnd, event_accurate_runs_end_there_as_well) {
  EXPECT_THAT(refusal(small_study({{"workload.total_mib", "2"},
                                   {"workload.idle_every", "1"},
                                   {"workload.idle_s", "1e7"},
                                   {"platform.timing", "event"}})),
              HasSubstr("where the clock ends"));
}

}  // namespace
}  // namespace ftlab::platform
