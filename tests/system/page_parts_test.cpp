// The page-mapped layer of arrays on the parts with a PartPort, through host, driver and SystemC model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/system/run_here.h"
#include "tests/system/settings.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;

Settings page_on(const char* part, const Settings& more = {}) {
  return with({set("part", part), set("ftl.firmware", "page"), set("ftl.spare_factor", "0.3"),
               set("workload.kind", "hot_cold"), set("workload.read_share", "0.2")},
              more);
}
Settings card(const Settings& more = {}) {
  return page_on("series2plus-4mb", with({set("workload.total_mib", "4")}, more));
}
Settings onenand(const Settings& more = {}) {
  return page_on("flexonenand-8gb-ddp",
                 with({set("part_overrides.segments_per_die", "16"), set("part_overrides.bad_segments.reserve", "1"),
                       set("host", "omap2420-400"), set("workload.total_mib", "24")},
                      more));
}

TEST(PageParts, every_policy_keeps_what_was_written) {
  std::vector<Settings> studies;
  for (const Settings& on : {card({set("workload.request_bytes", "1536")}), onenand()}) {
    for (const char* selection : {"greedy", "lru", "windowed_greedy", "d_choices"})
      studies.push_back(with(on, {set("ftl.selection", selection)}));
    studies.push_back(with(on, {set("ftl.frontiers", "host_and_cleaning")}));
    studies.push_back(with(on, {set("ftl.separation", "recency"), set("ftl.pool_choice", "cat_log2")}));
    studies.push_back(with(on, {set("ftl.separation", "oracle"), set("ftl.pool_choice", "marginal")}));
    studies.push_back(with(on, {set("ftl.separation", "sepbit"), set("ftl.spare_factor", "0.65")}));
  }
  for (const ordered_json& run : run_all(studies)) {
    EXPECT_EQ(run["host"]["wrong_reads"], 0) << run["config"].dump();
    EXPECT_EQ(run["host"]["failed_requests"], 0);
    EXPECT_GT(run["firmware"]["cleanings"], 0);
  }
}

TEST(PageParts, dies_of_a_part_work_at_the_same_time) {
  const Settings deep{set("workload.queue_depth", "8")};
  const auto runs = run_all({onenand(), onenand(deep)});
  EXPECT_EQ(runs[1]["host"]["wrong_reads"], 0);
  EXPECT_GT(runs[1]["throughput"]["write_bytes_per_s"].get<double>(),
            1.3 * runs[0]["throughput"]["write_bytes_per_s"].get<double>());
}

TEST(PageParts, halves_of_pages_share_a_program) {
  const Settings halves{set("workload.request_bytes", "2048"), set("workload.queue_depth", "8")};
  const auto runs = run_all({onenand(halves), onenand(with(halves, {set("ftl.page_bytes", "2048")}))});
  EXPECT_EQ(runs[1]["host"]["wrong_reads"], 0);
  EXPECT_EQ(runs[1]["host"]["failed_requests"], 0);
  EXPECT_GT(runs[1]["flash"]["pages_padded"], 0);
  EXPECT_GT(runs[1]["throughput"]["write_bytes_per_s"].get<double>(),
            1.2 * runs[0]["throughput"]["write_bytes_per_s"].get<double>());
}

TEST(PageParts, a_card_goes_on_while_some_of_its_devices_erase) {
  const Settings deep{set("part", "series2plus-24mb"), set("workload.total_mib", "30"),
                      set("workload.queue_depth", "8")};
  const auto runs = run_all({card(deep), card(with(deep, {set("ftl.erase", "overlap")}))});
  EXPECT_EQ(runs[1]["host"]["wrong_reads"], 0);
  EXPECT_LT(runs[1]["time"]["simulated_s"].get<double>(), 0.8 * runs[0]["time"]["simulated_s"].get<double>());
}

TEST(PageParts, bits_that_a_part_corrects_are_counted_and_those_that_it_cannot) {
  const auto wrong = [](const char* rate) { return onenand({set("part_overrides.errors.base", rate)}); };
  const auto runs = run_all({onenand(), wrong("2e-5"), wrong("4e-4")});
  EXPECT_LT(runs[0]["flash"]["corrected_reads"], 10);
  EXPECT_GT(runs[1]["flash"]["corrected_reads"], 100);
  EXPECT_EQ(runs[1]["flash"]["unreadable_reads"], 0);
  EXPECT_EQ(runs[1]["host"]["failed_requests"], 0);
  EXPECT_GT(runs[2]["flash"]["unreadable_reads"], 0);
}

TEST(PageParts, the_model_beside_counts_the_pages_that_a_segment_holds) {
  const ordered_json run =
      run_one_study({set("part", "series2plus-4mb"), set("ftl.firmware", "page"), set("ftl.page_bytes", "65536"),
                     set("ftl.spare_factor", "0.3"), set("workload.kind", "uniform"), set("workload.overwrites", "1")});
  // One beside the segment's header.
  EXPECT_EQ(run["model"]["value"], 1);
  EXPECT_EQ(run["write_amplification"], 1);
}

TEST(PagePartsRefusal, names_the_key_and_the_way_out) {
  EXPECT_THAT(refusal(onenand({set("ftl.page_bytes", "8192")})),
              testing::AllOf(HasSubstr("ftl.page_bytes: 8192 bytes"), HasSubstr("use 2048, 4096")));
  EXPECT_THAT(refusal(card({set("ftl.erase", "overlap")})),
              testing::AllOf(HasSubstr("ftl.erase: \"overlap\" needs devices"), HasSubstr("use \"wait\"")));
  EXPECT_THAT(refusal(card({set("part_overrides.errors.base", "1e-6")})),
              testing::AllOf(HasSubstr("errors: a card has no bit errors"), HasSubstr("[endurance]")));
  EXPECT_THAT(refusal({set("part", "array-slc"), set("ftl.firmware", "page"), set("ftl.erase", "overlap")}),
              testing::AllOf(HasSubstr("ftl.erase: an array erases on its dies"), HasSubstr("leave the key out")));
}

TEST(PageParts, what_no_size_helps_is_said_before_what_a_size_would) {
  // The reserve beside such segments would leave the default utilization no room, either.
  EXPECT_THAT(
      refusal(
          {{"part", "series2plus-4mb", "test"}, {"ftl.firmware", "page", "test"}, {"ftl.slc_segments", "2", "test"}}),
      testing::HasSubstr("needs a part whose cells hold several bits"));
}

}  // namespace
}  // namespace ftlab::platform
