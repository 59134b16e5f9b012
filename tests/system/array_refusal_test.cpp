// What an array is refused for: the line names the key and the way out.
#include <gmock/gmock.h>

#include "tests/system/array_study.h"
#include "tests/system/run_here.h"

namespace ftlab::platform {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(ArrayRefusal, names_the_key_and_the_way_out) {
  EXPECT_THAT(refusal(array_study({set("ftl.spare_factor", "0.02")})),
              testing::AllOf(HasSubstr("ftl.spare_factor: 0.02 leaves cleaning nothing to reclaim"),
                             HasSubstr("use at least 0.0")));
  EXPECT_THAT(refusal(array_study({set("part_overrides.content", "none"), set("ftl.checkpoint_every", "100")})),
              testing::AllOf(HasSubstr("ftl.checkpoint_every: a checkpoint is data"),
                             HasSubstr("part_overrides.content to \"bytes\"")));
  EXPECT_THAT(refusal(array_study({set("workload.overwrites", "1e-9")})),
              HasSubstr("workload.overwrites: too small for one request"));
  EXPECT_THAT(refusal(array_study({set("ftl.page_bytes", "4096")})),
              testing::AllOf(HasSubstr("ftl.page_bytes: 4096 bytes"), HasSubstr("a page of the part has 2048 bytes"),
                             HasSubstr("use 512, 1024, 2048")));
  EXPECT_THAT(refusal(array_study({set("ftl.selection", "partition_fifo")})),
              testing::AllOf(HasSubstr("ftl.selection: selection over partitions works with"),
                             HasSubstr("use ftl.firmware = \"fms\"")));
  EXPECT_THAT(refusal(array_study({set("part_overrides.segments", "257")})),
              testing::AllOf(HasSubstr("segments: 257 do not divide"), HasSubstr("take 256 or 264")));
  EXPECT_THAT(refusal(array_study({set("ftl.firmware", "flexfs")})),
              testing::AllOf(HasSubstr("ftl.firmware"), HasSubstr("use \"page\"")));
}

TEST(ArrayRefusal, leaves_data_ram_to_reads_and_parts_without_a_controller_have_no_write_buffer) {
  EXPECT_THAT(
      refusal(array_study({set("part_overrides.content", "bytes"), set("ftl.write_buffer", "64")})),
      testing::AllOf(HasSubstr("ftl.write_buffer"), HasSubstr("part_overrides.controller.buffer_slots higher")));
  EXPECT_EQ(refusal(array_study({set("part_overrides.content", "bytes"), set("ftl.write_buffer", "63")})), "accepted");
  for (const char* firmware : {"page", "fms"})
    EXPECT_THAT(refusal({set("part", "series2plus-4mb"), set("ftl.firmware", firmware), set("ftl.write_buffer", "8")}),
                HasSubstr("ftl.write_buffer: data RAM that holds answered writes is an array's"));
}

TEST(ArrayRefusal, says_which_selections_give_a_victim_of_each_pool_whatever_the_firmware) {
  for (const char* firmware : {"page", "fms"}) {
    const Settings pools = array_study({set("ftl.firmware", firmware), set("ftl.separation", "recency"),
                                        set("ftl.pool_choice", "marginal"), set("ftl.selection", "cat")});
    EXPECT_THAT(refusal(pools), testing::AllOf(HasSubstr("ftl.pool_choice: pool_choice chooses among victims"),
                                               HasSubstr("pool_choice = \"together\"")))
        << firmware;
    EXPECT_EQ(refusal(with(pools, {set("ftl.selection", "greedy")})), "accepted") << firmware;
  }
}

TEST(ArrayRefusal, names_the_shares_of_pools) {
  const Settings pools =
      array_study({set("workload.kind", "hot_cold"), set("ftl.separation", "oracle"), set("ftl.pool_choice", "split")});
  EXPECT_THAT(refusal(with(pools, {set("ftl.split", "[0.5, 0.3, 0.2]")})),
              HasSubstr("ftl.split: 3 shares that sum to 1; give one for each of the 2 pools"));
  EXPECT_THAT(refusal(with(pools, {set("ftl.split", "[0.5, 0.3]")})),
              HasSubstr("ftl.split: 2 shares that sum to 0.8; give one for each of the 2 pools"));
  EXPECT_THAT(refusal(with(pools, {set("workload.kind", "uniform")})),
              testing::AllOf(HasSubstr("ftl.split: missing"), HasSubstr("workload.kind")));
  EXPECT_THAT(refusal(with(pools, {set("workload.kind", "classes"), set("workload.class_data", "[0.1, 0.5]")})),
              testing::AllOf(HasSubstr("ftl.split: missing"), HasSubstr("the shares sum to 0.6")));
  EXPECT_THAT(refusal(with(pools, {set("workload.kind", "classes"), set("ftl.pools", "3")})),
              testing::AllOf(HasSubstr("ftl.split: missing"), HasSubstr("3 pools are for 2 classes")));
}

TEST(ArrayRefusal, names_the_key_of_what_the_flash_memory_server_cannot_do_there) {
  const auto said = [](const char* key, const char* value) {
    return refusal(with(array_study({set("ftl.firmware", "fms")}), {set(key, value)}));
  };
  EXPECT_THAT(said("ftl.data_checksum", "true"),
              HasSubstr("ftl.data_checksum: a checksum of each page is for NOR parts"));
  EXPECT_THAT(said("ftl.segment_units", "2"), HasSubstr("ftl.segment_units: segments of several erase units"));
  EXPECT_THAT(said("ftl.erase", "overlap"), HasSubstr("ftl.erase: an array erases on its dies by itself"));
  EXPECT_THAT(said("ftl.trigger", "partition_full"),
              HasSubstr("ftl.trigger: trigger \"partition_full\" works with selection"));
  EXPECT_THAT(said("ftl.spare_factor", "0.01"), HasSubstr("leaves cleaning nothing to reclaim"));
  EXPECT_THAT(refusal({set("part", "array-slc"), set("ftl.firmware", "fms"), set("part_overrides.segments", "1024")}),
              HasSubstr("ftl.utilization: 0.9 leaves cleaning nothing to reclaim"))
      << "neither of the two keys is given";
  EXPECT_THAT(said("ftl.high_water", "1000"), HasSubstr("ftl.high_water: segments of a die are too few"));
  const auto few = [](const std::string& segments, const Settings& more = {}) {
    return refusal(with({set("part", "array-tlc"), set("ftl.spare_factor", "0.2"), set("part_overrides.channels", "1"),
                         set("part_overrides.dies_per_channel", "4"), set("part_overrides.segments", segments),
                         set("part_overrides.pages_per_segment", "12"), set("workload.total_mib", "1")},
                        more));
  };
  const std::string refused = few("4");
  EXPECT_THAT(refused, HasSubstr("part_overrides: segments: segments of a die are too few"));
  EXPECT_THAT(refused, Not(HasSubstr("ftl.low_water"))) << "which is as low as it goes";
  EXPECT_THAT(few("4", {set("ftl.low_water", "9")}), HasSubstr("ftl.low_water: segments of a die are too few"));
  const std::size_t at = refused.find("; ") + 2;
  EXPECT_EQ(few(refused.substr(at, refused.find(' ', at) - at)), "accepted");
  EXPECT_THAT(refusal(with(array_study({set("ftl.firmware", "fms")}),
                           {set("ftl.idle_cleaning", "true"), set("ftl.idle_water", "1000")})),
              HasSubstr("ftl.idle_water: cleaning while the host is idle goes on up to 1000 free segments"));
}

}  // namespace
}  // namespace ftlab::platform
