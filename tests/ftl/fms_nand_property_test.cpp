// The FMS on NAND, nothing changed but the port: options and parts keep all invariants and all data over remounts,
// counters balance, and the tables fit the arena that was asked for.
#include <gtest/gtest.h>

#include <string>

#include "tests/fixtures/fms_nand_fixture.h"
#include "tests/fixtures/fms_properties.h"
#include "tests/fixtures/policy_params.h"

namespace ftlab::tests {
namespace {

std::string exercise(const FmsConfig& config, std::uint64_t seed, EmulatedNandOptions part = small_nand(),
                     int rounds = 4, int requests = 300, bool idle = false) {
  NandVolume v(part, config, seed);
  if (v.session->config_error() != nullptr) return v.session->config_error();
  if (v.session->format(0) != FtlStatus::ok) return "format failed";
  return remounts_keep_all(v.flash, config, v.host, v.oracle, {rounds, requests, idle});
}

TEST(FmsNandProperty, holds_with_several_segments_cleaned_at_once) {
  for (const auto& redistribution : fms::redistributions()) {
    FmsConfig config = nand_config();
    config.redistribution = redistribution.name;
    config.low_water = config.high_water = 5;
    config.clean_at_once = 4;
    join_partitions(config);
    config.logical_pages -= 30;
    EXPECT_EQ(exercise(config, 13), "") << redistribution.name;
  }
}

TEST(FmsNandProperty, holds_with_read_only_data_apart_and_idle_cleaning) {
  FmsConfig config = nand_config(150);
  config.read_only_placement = "apart";
  config.idle_cleaning = true;
  config.idle_water = 4;
  config.age_clock = FmsConfig::AgeClock::time;
  EXPECT_EQ(exercise(config, 14, small_nand(), 4, 300, true), "");
}

TEST(FmsNandProperty, holds_at_the_highest_utilisation_that_is_allowed) {
  for (const auto& redistribution : fms::redistributions()) {
    for (const std::uint32_t water : {1U, 2U, 3U}) {
      FmsConfig config = nand_config();
      config.redistribution = redistribution.name;
      join_partitions(config);
      if (water < fms::copy_segments(config)) continue;
      config.low_water = config.high_water = water;
      config.logical_pages = fms::max_logical_pages(config, EmulatedNand(small_nand()).geometry());
      EXPECT_EQ(exercise(config, 16, small_nand(), 3, 250), "") << redistribution.name << " low_water " << water;
    }
  }
}

TEST(FmsNandProperty, holds_on_two_dies_and_without_segments_of_lsb_pages_only) {
  EmulatedNandOptions two;
  two.segments = 32;
  two.parallel_units = 2;
  EXPECT_EQ(exercise(nand_config(), 17, two), "");
  EmulatedNandOptions none;
  none.slc_segments_per_unit = 0;
  EXPECT_EQ(exercise(nand_config(), 18, none), "");
}

TEST(FmsNandProperty, holds_with_the_pages_of_the_real_part) {
  EmulatedNandOptions part;
  part.pages = 128;
  part.page_bytes = 4096;
  part.segments = 14;
  FmsConfig config = nand_config(500);
  config.page_bytes = 4096;
  EXPECT_EQ(exercise(config, 19, part, 2, 1200), "");
}

TEST(FmsNandSizes, checkpoints_and_the_summary_cost_their_place) {
  const EmulatedNand flash(small_nand());
  EXPECT_EQ(usable_slots(flash.geometry(), 512), 15U);
  EXPECT_EQ(data_segments(flash.geometry()), 22U);
  EmulatedNandOptions two;
  two.segments = 32;
  two.parallel_units = 2;
  EXPECT_EQ(data_segments(EmulatedNand(two).geometry()), 29U);  // segments 0, 1 and 16 are fixed
}

TEST(FmsNandConfig, refuses_other_page_sizes_than_the_parts) {
  const EmulatedNand flash(small_nand());
  FmsConfig config = nand_config();
  config.page_bytes = 256;
  const char* reason = fms::check(config, flash.geometry(), flash.capabilities());
  ASSERT_NE(reason, nullptr);
  EXPECT_NE(std::string(reason).find("the part's page size"), std::string::npos);
}

TEST(FmsNandArena, is_as_large_as_was_asked_for_and_no_byte_less_will_do) {
  EmulatedNand flash(small_nand());
  const FmsConfig config = nand_config();
  const std::size_t bytes = Fms::arena_bytes(flash.geometry(), config);
  std::vector<std::max_align_t> memory(bytes / sizeof(std::max_align_t) + 2);
  const std::span<std::byte> all = std::as_writable_bytes(std::span(memory));
  NullProbe probe;
  EXPECT_NE(Fms(flash, probe, config, all.first(bytes - 1)).config_error(), nullptr);
  std::fill(all.begin(), all.end(), std::byte{0xA5});
  Fms fms(flash, probe, config, all.first(bytes));
  ASSERT_EQ(fms.config_error(), nullptr);
  ASSERT_EQ(fms.format(0), FtlStatus::ok);
  Oracle oracle = nand_oracle(fms);
  HostScript host(5, fms.capacity_bytes(), config.page_bytes);
  for (int i = 0; i < 400; ++i) ASSERT_EQ(host.step(fms, oracle), FtlStatus::ok);
  for (std::size_t i = bytes; i < all.size(); ++i) ASSERT_EQ(all[i], std::byte{0xA5}) << "written beyond the arena";
}

}  // namespace
}  // namespace ftlab::tests
