// Every policy and option of the FMS on NOR: all invariants after every request, all acknowledged data after every
// remount, counters that balance.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/fixtures/fms_media.h"
#include "tests/fixtures/fms_properties.h"
#include "tests/fixtures/host_script.h"
#include "tests/fixtures/policy_params.h"

namespace ftlab::tests {
namespace {

FmsConfig roomy() { return EmulatedNor::config(); }

std::string exercise(const FmsConfig& config, EmulatedFlashOptions part, std::uint64_t seed, int rounds = 4,
                     int requests = 250, bool idle = false) {
  EmulatedFlash flash(part);
  FmsSession first(flash, config);
  if (first->config_error() != nullptr) return first->config_error();
  if (first->format(0) != FtlStatus::ok) return "format failed";
  Oracle oracle(first->capacity_bytes(), config.page_bytes);
  HostScript host(seed, first->capacity_bytes(), config.page_bytes);
  return remounts_keep_all(flash, config, host, oracle, {rounds, requests, idle});
}

TEST(FmsProperty, holds_for_every_policy_with_small_values_of_its_parameters) {
  for (const fms::PolicyFamily& family : fms::policy_families()) {
    for (const fms::PolicyEntry& entry : family.members) {
      for (std::uint32_t more = 0; more < 3; ++more) {
        FmsConfig config = roomy();
        (family.key == "trigger"          ? config.trigger
         : family.key == "selection"      ? config.selection
         : family.key == "redistribution" ? config.redistribution
         : family.key == "read_only"      ? config.read_only_placement
                                          : config.wear_leveling) = entry.name;
        join_partitions(config);
        config.params.set("swap_from", 1 + more);
        config.params.set("swap_spread", 1 + more);
        draw_params(config, [&](std::uint32_t below) { return std::min(more, below - 1); });
        EXPECT_EQ(exercise(config, EmulatedNor::for_config(config).part, 12, 2), "")
            << entry.name << params_text(config);
      }
    }
  }
}

TEST(FmsProperty, holds_with_several_segments_cleaned_at_once) {
  for (const auto& redistribution : fms::redistributions()) {
    for (const std::uint32_t water : {3U, 6U}) {
      FmsConfig config = roomy();
      config.redistribution = redistribution.name;
      config.low_water = config.high_water = water;
      config.clean_at_once = 4;
      join_partitions(config);
      config.erase_mode = water == 3 ? FmsConfig::EraseMode::overlap : FmsConfig::EraseMode::wait;
      EmulatedFlashOptions part = EmulatedNor::for_config(config).part;
      part.geometry.segments += water - 3;
      EXPECT_EQ(exercise(config, part, 19), "") << redistribution.name << " low_water " << water;
    }
  }
}

TEST(FmsProperty, holds_with_overlapping_erases) {
  for (const auto& redistribution : fms::redistributions()) {
    FmsConfig config = roomy();
    config.redistribution = redistribution.name;
    join_partitions(config);
    config.erase_mode = FmsConfig::EraseMode::overlap;
    EXPECT_EQ(exercise(config, small_part(), 13), "") << redistribution.name;
  }
}

TEST(FmsProperty, holds_with_read_only_data_apart) {
  FmsConfig config = roomy();
  config.redistribution = "fine_grained";
  config.selection = "cat";
  config.read_only_placement = "apart";
  config.logical_pages = 60;
  EXPECT_EQ(exercise(config, small_part(), 14), "");
}

TEST(FmsProperty, holds_with_idle_cleaning_and_the_clock_of_time) {
  FmsConfig config = roomy();
  config.selection = "cost_benefit";
  config.redistribution = "segment_based";
  config.idle_cleaning = true;
  config.idle_water = 4;
  config.age_clock = FmsConfig::AgeClock::time;
  EXPECT_EQ(exercise(config, small_part(), 15, 4, 250, true), "");
}

TEST(FmsProperty, holds_at_the_highest_utilisation_that_is_allowed) {
  for (const auto& redistribution : fms::redistributions()) {
    for (const std::uint32_t water : {1U, 2U, 3U}) {
      FmsConfig config = roomy();
      config.redistribution = redistribution.name;
      config.low_water = config.high_water = water;
      join_partitions(config);
      if (water < fms::copy_segments(config)) continue;
      config.logical_pages = fms::max_logical_pages(config, small_part().geometry);
      EXPECT_EQ(exercise(config, small_part(), 16, 3, 200), "") << redistribution.name << " low_water " << water;
    }
  }
}

TEST(FmsProperty, holds_at_the_highest_utilisation_for_every_selection) {
  for (const auto& selection : fms::selections()) {
    FmsConfig config = roomy();
    config.selection = selection.name;
    join_partitions(config);
    config.low_water = config.high_water = 2;
    config.logical_pages = fms::max_logical_pages(config, small_part().geometry);
    EXPECT_EQ(exercise(config, small_part(), 16, 3, 200), "") << selection.name;
  }
}

TEST(FmsProperty, holds_while_the_full_log_is_rewritten) {
  EXPECT_EQ(exercise(roomy(), small_part(), 20, 2, 3500), "");
}

TEST(FmsProperty, holds_without_chained_operations_and_with_a_queue_of_one) {
  EmulatedFlashOptions part = small_part();
  part.capabilities.chained = false;
  part.capabilities.queue_depth = 1;
  EXPECT_EQ(exercise(roomy(), part, 17), "");
}

TEST(FmsProperty, holds_for_pages_whose_header_needs_several) {
  FmsConfig config = roomy();
  config.page_bytes = 64;
  config.logical_pages = 300;
  EXPECT_EQ(exercise(config, small_part(), 18, 2, 900), "");
}

}  // namespace
}  // namespace ftlab::tests
