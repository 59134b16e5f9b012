// How fast an array writes: pages of the host at a depth of its dies, against what these can program.
#include <gmock/gmock.h>

#include "tests/system/run_here.h"
#include "tests/system/settings.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

constexpr double kDies = 8;
constexpr double kPageBytes = 16384;
constexpr double kProgramS = 1467e-6;  // mean of the three page types

/// Eight dies of TLC with 40 segments each; copies of a victim take up to a hundred times as long as a page.
Settings writing_at(double spare_factor, const Settings& more) {
  return with({set("part", "array-tlc"), set("host", "ssd-controller"), set("ftl.firmware", "page"),
               set("ftl.spare_factor", std::to_string(spare_factor)), set("part_overrides.channels", "4"),
               set("part_overrides.dies_per_channel", "2"), set("part_overrides.planes", "1"),
               set("part_overrides.segments", "320"), set("part_overrides.pages_per_segment", "192"),
               set("part_overrides.content", "none"), set("part_overrides.bad_segments.initial_share", "0"),
               set("workload.kind", "uniform"), set("workload.queue_depth", "8"),
               set("workload.warm_up_overwrites", "2"), set("workload.overwrites", "1")},
              more);
}

std::string said(const Settings& settings) {
  std::string text;
  for (const Setting& setting : settings) text += ", " + setting.key + " = " + setting.text;
  return text;
}

/// Of what the dies would write if they did nothing but program, the host's pages and copies.
double share_of_bound(const ordered_json& run) {
  const double bound = kDies * kPageBytes / kProgramS / run["write_amplification"].get<double>();
  return run["throughput"]["write_bytes_per_s"].get<double>() / bound;
}

TEST(ArrayRate, dies_are_at_work_whatever_is_spare_and_more_spare_is_never_slower) {
  constexpr double kSpare[] = {0.07, 0.15, 0.20, 0.245, 0.30, 0.40};
  const Settings two{set("ftl.frontiers", "host_and_cleaning")};
  const std::vector<Settings> ways{{}, two, with(two, {set("ftl.free_segments", "4")})};
  for (const Settings& way : ways) {
    std::vector<Settings> studies;
    for (const double spare : kSpare) studies.push_back(writing_at(spare, way));
    const std::vector<ordered_json> runs = run_all(studies);
    double before = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const double rate = runs[i]["throughput"]["write_bytes_per_s"];
      EXPECT_GE(share_of_bound(runs[i]), 0.6) << "S_f " << kSpare[i] << said(way);
      // Of one seed the rate is known to within 2 %.
      EXPECT_GE(rate, 0.98 * before) << "S_f " << kSpare[i] << said(way);
      before = rate;
    }
  }
}

TEST(ArrayRate, a_die_that_cleans_keeps_no_other_waiting) {
  const auto runs = run_all({writing_at(0.15, {}), writing_at(0.15, {set("ftl.die_choice", "in_turn")})});
  EXPECT_GT(share_of_bound(runs[0]), 2 * share_of_bound(runs[1]));
  // The same pages die on either, so that each die copies as many.
  const auto amplification = [&](std::size_t i) { return runs[i]["write_amplification"].get<double>(); };
  EXPECT_NEAR(amplification(0), amplification(1), 0.03 * amplification(1));
}

TEST(ArrayRate, one_die_writes_the_same_whichever_way_dies_are_chosen) {
  const Settings one{set("part_overrides.channels", "1"), set("part_overrides.dies_per_channel", "1"),
                     set("part_overrides.segments", "80")};
  const auto runs = run_all({writing_at(0.15, one), writing_at(0.15, with(one, {set("ftl.die_choice", "in_turn")}))});
  for (const char* section : {"firmware", "time", "latency", "energy", "wear"})
    EXPECT_EQ(runs[0][section], runs[1][section]) << section;
}

}  // namespace
}  // namespace ftlab::platform
