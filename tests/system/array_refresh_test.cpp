// Read disturb on an array, and what the page-mapped layer does about it.
#include <gtest/gtest.h>

#include "tests/system/run_here.h"
#include "tests/system/settings.h"

namespace ftlab::platform {
namespace {

Settings reading_a_lot(const Settings& more) {
  return with(
      {set("part", "array-tlc"), set("host", "ssd-controller"), set("ftl.firmware", "page"),
       set("ftl.spare_factor", "0.2"), set("part_overrides.channels", "1"), set("part_overrides.dies_per_channel", "2"),
       set("part_overrides.segments", "128"), set("part_overrides.pages_per_segment", "48"),
       set("part_overrides.errors.disturb", "0.007"), set("workload.kind", "hot_cold"),
       set("workload.queue_depth", "4"), set("workload.read_share", "0.95"), set("workload.total_mib", "600")},
      more);
}

TEST(ArrayRefresh, moves_what_reads_have_disturbed_before_it_is_lost) {
  const auto runs = run_all({reading_a_lot({}), reading_a_lot({set("part_overrides.errors.move_bits", "0")})});
  EXPECT_GT(runs[0]["firmware"]["refreshes"].get<int>(), 10);
  EXPECT_EQ(runs[0]["host"]["failed_requests"], 0);
  EXPECT_GT(runs[0]["dies"]["time_by_cause_s"]["refresh"].get<double>(), 0.1);
  EXPECT_GT(runs[0]["flash"]["corrected_reads"].get<int>(), 1000);
  EXPECT_EQ(runs[0]["flash"]["unreadable_reads"], 0);
  EXPECT_GE(runs[1]["flash"]["unreadable_reads"].get<int>(), runs[1]["host"]["failed_requests"].get<int>());
  // Of a controller that does not say when.
  EXPECT_EQ(runs[1]["firmware"]["refreshes"], 0);
  EXPECT_GT(runs[1]["host"]["failed_requests"].get<int>(), 100);
}

}  // namespace
}  // namespace ftlab::platform
