// How pages move between the regions of DAC.
#include <gtest/gtest.h>

#include "firmware/ftl/fms/fms_config.h"
#include "tests/unit/firmware/policy/policy_fixture.h"

namespace ftlab::tests {
namespace {

using namespace fms;

/// Page n lies in segment n, whose stream is that of region n - 1; page 0 lies nowhere.
struct Regions : PolicyFixture {
  explicit Regions(std::uint32_t regions) : PolicyFixture(9, 4, 10) {
    EXPECT_TRUE(params.set("regions", regions));
    for (std::uint32_t n = 1; n < 8; ++n) {
      table.record(n).stream = cleaning_stream(n - 1);
      write(n, n * table.slots(), 1, 0);
    }
    table.record(8).stream = kReadOnly;
    write(8, 8 * table.slots(), 1, 0);
  }
  std::uint32_t updated(std::uint32_t lpn) { return make(redistribute::dac, params).stream_of(view(), lpn); }
  std::uint32_t copied(std::uint32_t lpn) {
    std::vector<PageMove> moves{{lpn, 0, 0, 0}};
    plan(redistribute::dac, lpn, moves, params);
    return moves[0].stream;
  }
  PolicyParams params;
};

TEST(Dac, moves_a_page_up_one_region_when_it_is_updated_and_down_one_when_it_is_copied) {
  Regions four(4);
  for (const std::uint32_t region : {0U, 1U, 2U, 3U}) {
    EXPECT_EQ(four.updated(region + 1), region == 0 ? 0 : region - 1);
    EXPECT_EQ(four.copied(region + 1), region == 3 ? 3 : region + 1);
  }
  EXPECT_EQ(four.updated(0), 3U) << "a new page";
}

TEST(Dac, counts_pages_outside_of_its_regions_as_lowest) {
  Regions two(2);
  EXPECT_EQ(two.updated(7), 0U);
  EXPECT_EQ(two.copied(7), 1U);
  EXPECT_EQ(two.updated(8), 0U) << "that was read-only";
  EXPECT_EQ(two.copied(8), 1U);
}

TEST(Dac, keeps_an_open_segment_for_each_region) {
  FmsConfig config;
  config.redistribution = "dac";
  config.read_only_placement = "mixed";
  for (const std::uint32_t regions : {2U, 5U, 7U}) {
    config.params.set("regions", regions);
    EXPECT_EQ(choice_of(config).streams(), regions);
  }
  config.read_only_placement = "apart";
  EXPECT_EQ(choice_of(config).streams(), 8U);
}

TEST(Streams, of_cleaning_have_no_gap_and_no_double) {
  for (std::uint32_t number = 0; number < kCleaningStreams; ++number) {
    EXPECT_NE(cleaning_stream(number), kReadOnly);
    EXPECT_LT(cleaning_stream(number), kStreams);
    EXPECT_EQ(cleaning_number(cleaning_stream(number)), number);
  }
}

}  // namespace
}  // namespace ftlab::tests
