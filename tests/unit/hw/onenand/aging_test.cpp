// Times drift with the share of rated life; limits scale with the area.
#include "hw/onenand/aging/aging.h"

#include <gtest/gtest.h>

#include "common/toml/toml_file.h"

namespace ftlab::hw {
namespace {

class AgingTest : public ::testing::Test {
 protected:
  static OneNandSpec part() {
    auto file = spec::TomlFile::load(FTLAB_PART_DIR "/flexonenand-4gb.toml");
    return load_onenand_spec(file);
  }
  static Segment aged(std::uint32_t cycles, std::uint32_t limit = 30'000) {
    Segment segment;
    segment.cycles = cycles;
    segment.limit = limit;
    return segment;
  }
  OneNandSpec spec = part();
  Aging aging{spec};
};

TEST_F(AgingTest, erase_doubles_at_the_rated_cycles_and_ends_at_three_times) {
  EXPECT_EQ(aging.erase_time(aged(0), false), spec.timing.erase_mlc);
  EXPECT_EQ(aging.erase_time(aged(10'000), false), spec.timing.erase_mlc * 2);
  EXPECT_EQ(aging.erase_time(aged(20'000), false), spec.timing.erase_mlc * 3);
  EXPECT_EQ(aging.erase_time(aged(29'999), false), spec.timing.erase_mlc * 3);
}

TEST_F(AgingTest, slc_area_ages_on_its_own_rating) {
  EXPECT_EQ(aging.erase_time(aged(50'000, 30'000), true), spec.timing.erase_slc * 2);
  EXPECT_EQ(aging.limit(aged(0, 30'000), true), 150'000U);
  EXPECT_EQ(aging.limit(aged(0, 30'000), false), 30'000U);
}

TEST_F(AgingTest, programs_get_faster) {
  EXPECT_EQ(aging.program_time(aged(10'000), false, PageType::msb), ticks_from_ns(1'760'000 * 0.88));
}

TEST_F(AgingTest, failing_work_takes_its_time_out) {
  Segment worn = aged(30'000);
  EXPECT_EQ(aging.erase_time(worn, false), spec.timing.erase_timeout);
  EXPECT_FALSE(aging.program_fails(worn, false)) << "this one fails in its erase";
  worn.fails_in_program = true;
  EXPECT_FALSE(aging.erase_fails(worn, false));
  EXPECT_EQ(aging.program_time(worn, false, PageType::lsb), ticks_from_ns(240'000 * 0.76 * 2));
  worn.worn = true;
  EXPECT_TRUE(aging.erase_fails(worn, false));
}

TEST_F(AgingTest, special_segments_keep_their_own_limit) {
  Segment partition = aged(0, 1000);
  partition.own_rating = true;
  EXPECT_EQ(aging.limit(partition, true), 1000U);
}

}  // namespace
}  // namespace ftlab::hw
