// Update in place on every family of parts, through host, driver and SystemC model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/input_error.h"
#include "tests/system/run_here.h"
#include "tests/system/settings.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;

Settings in_place(const Settings& more) {
  return with({set("ftl.firmware", "in_place"), set("ftl.utilization", "0.9"), set("workload.kind", "uniform"),
               set("workload.read_share", "0.3")},
              more);
}

TEST(InPlaceParts, keep_what_was_written_and_their_counters_balance) {
  const std::vector<Settings> studies{
      in_place({set("part", "series2plus-4mb"), set("workload.total_mib", "0.25")}),
      in_place({set("part", "flexonenand-4gb"), set("part_overrides.segments_per_die", "32"),
                set("part_overrides.bad_segments.reserve", "1"), set("workload.total_mib", "0.5")}),
      in_place({set("part", "array-slc"), set("part_overrides.channels", "1"),
                set("part_overrides.dies_per_channel", "1"), set("part_overrides.segments", "600"),
                set("part_overrides.pages_per_segment", "1"), set("part_overrides.page_bytes", "512"),
                set("part_overrides.content", "bytes"), set("part_overrides.bad_segments.initial_share", "0"),
                set("ftl.page_bytes", "512"), set("workload.request_bytes", "512"),
                set("workload.total_mib", "0.25")})};
  for (const ordered_json& run : run_all(studies)) {
    EXPECT_EQ(run["host"]["wrong_reads"], 0) << run["config"].dump();
    EXPECT_EQ(run["host"]["failed_requests"], 0);
    const auto written = run["host"]["pages_written"].get<std::uint64_t>();
    const auto copied = run["flash"]["pages_copied"].get<std::uint64_t>();
    const auto page_bytes = run["device"]["page_bytes"].get<std::uint64_t>();
    EXPECT_EQ(run["flash"]["bytes_programmed"].get<std::uint64_t>(), (written + copied) * page_bytes);
    EXPECT_EQ(run["flash"]["erases"], written) << "each overwrite erases";
  }
}

TEST(InPlaceParts, the_way_to_update_names_the_firmware) {
  const Study study = parse_study("ftl.update = \"in_place\"\n", "study.toml", {});
  EXPECT_EQ(study.ftl.firmware, "in_place");
  EXPECT_EQ(parse_study("ftl.firmware = \"in_place\"\n", "study.toml", {}).ftl.update, Update::in_place);
  EXPECT_EQ(test::error_text(
                [] { (void)parse_study("ftl.firmware = \"fms\"\nftl.update = \"in_place\"\n", "study.toml", {}); }),
            "study.toml:2: ftl.update: \"fms\" does not update in place; leave one of ftl.firmware and ftl.update out");
}

TEST(InPlaceParts, content_that_is_not_kept_is_refused_where_it_has_to_be_read) {
  for (const char* part : {"series2plus-4mb", "array-slc"})
    EXPECT_THAT(refusal({set("part", part), set("ftl.firmware", "in_place"), set("platform.store_content", "false")}),
                testing::HasSubstr("platform.store_content: what is updated in place is read"));
}

TEST(InPlaceParts, pages_are_those_of_the_part_where_it_programs_larger_ones) {
  const ordered_json run = run_one_study(
      {set("part", "array-slc"), set("part_overrides.channels", "1"), set("part_overrides.dies_per_channel", "1"),
       set("part_overrides.segments", "8"), set("part_overrides.page_bytes", "16384"), set("ftl.firmware", "in_place"),
       set("workload.total_mib", "1")});
  EXPECT_EQ(run["device"]["page_bytes"], 16384);
}

TEST(InPlaceParts, a_page_smaller_than_the_parts_is_refused) {
  const std::string refused =
      refusal(in_place({set("part", "flexonenand-4gb"), set("part_overrides.segments_per_die", "32"),
                        set("part_overrides.bad_segments.reserve", "1"), set("ftl.page_bytes", "2048")}));
  EXPECT_THAT(refused, HasSubstr("ftl.page_bytes: the page is smaller than what the part programs at once"));
  EXPECT_THAT(refused, HasSubstr("4096 bytes programmed at once"));
}

}  // namespace
}  // namespace ftlab::platform
