// Impossible combinations are refused with the reason.
#include "firmware/ftl/fms/fms_config.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "tests/fixtures/fms_fixture.h"

namespace ftlab::tests {
namespace {

std::string reason(const FmsVolume& config, const EmulatedFlashOptions& part = small_part()) {
  EmulatedFlash flash(part);
  const char* text = refusal(config, flash);
  return text != nullptr ? text : "";
}

bool mentions(const std::string& text, const char* words) { return text.find(words) != std::string::npos; }

TEST(FmsConfigCheck, accepts_the_papers_configuration) {
  FmsVolume config;
  config.logical_pages = 5245;
  EXPECT_EQ(reason(config, paper_card()), "");
}

TEST(FmsConfigCheck, refuses_unknown_names) {
  FmsVolume config = small_config();
  config.selection = "gready";
  EXPECT_TRUE(mentions(reason(config), "selection is none of the names"));
  config = small_config();
  config.redistribution = "m6";
  EXPECT_TRUE(mentions(reason(config), "redistribution is none of the names"));
  config = small_config();
  config.wear_leveling = "static";
  EXPECT_TRUE(mentions(reason(config), "wear_leveling is none of the names"));
  config = small_config();
  config.read_only_placement = "aside";
  EXPECT_TRUE(mentions(reason(config), "read_only is none of the names"));
}

TEST(FmsConfigCheck, refuses_an_age_exponent_that_is_none) {
  for (const std::uint64_t exponent : {std::uint64_t{0}, fms::kExponentSteps + 1}) {
    FmsVolume config = small_config();
    config.shared.age_exponent = exponent;
    EXPECT_TRUE(mentions(reason(config), "age_exponent must be above 0 and at most 1"));
  }
}

TEST(FmsConfigCheck, refuses_an_age_exponent_at_which_hot_degrees_vanish) {
  FmsVolume config = small_config();
  config.redistribution = "fine_grained";
  config.low_water = config.high_water = 2;
  config.shared.age_exponent = fms::kExponentSteps / 2 + 1;
  EXPECT_EQ(reason(config), "");
  config.age_clock = FmsConfig::AgeClock::time;
  EXPECT_TRUE(mentions(reason(config), "leaves nothing of a hot degree"));
  config.shared.age_exponent = fms::kExponentSteps / 2;
  EXPECT_EQ(reason(config), "");
  config.shared.age_exponent = fms::kExponentSteps;
  config.redistribution = "sequential";
  EXPECT_EQ(reason(config), "");
}

TEST(FmsConfigCheck, refuses_a_hot_function_at_which_hot_degrees_vanish) {
  FmsVolume config = small_config();
  config.redistribution = "times_sort";
  config.age_clock = FmsConfig::AgeClock::time;
  config.shared.hot_function = fms::AgeFunction::identity;
  EXPECT_TRUE(mentions(reason(config), "hot_function \"identity\" leaves nothing"));
  config.shared.hot_function = fms::AgeFunction::log;
  EXPECT_EQ(reason(config), "");
  config.shared.age_unit = 0;
  EXPECT_TRUE(mentions(reason(config), "age_unit must be at least 1"));
}

TEST(FmsConfigCheck, refuses_a_trigger_that_does_not_exist_and_too_many_segments_at_once) {
  FmsVolume config = small_config();
  config.trigger = "never";
  EXPECT_TRUE(mentions(reason(config), "trigger is none of the names"));
  config = small_config();
  for (const std::uint32_t at_once : {0U, 65U}) {
    config.clean_at_once = at_once;
    EXPECT_TRUE(mentions(reason(config), "clean_at_once must be at least 1 and at most 64"));
  }
}

TEST(FmsConfigCheck, refuses_pages_that_do_not_fit_the_segment) {
  for (const std::uint32_t bytes : {0U, 301U, 4096U}) {
    FmsVolume config = small_config();
    config.page_bytes = bytes;
    EXPECT_TRUE(mentions(reason(config), "pages of this size do not suit")) << bytes;
  }
}

TEST(FmsConfigCheck, refuses_a_utilisation_above_what_cleaning_needs) {
  FmsVolume config = small_config();
  EmulatedFlash flash(small_part());
  config.logical_pages = max_logical_pages(config, flash);
  EXPECT_EQ(reason(config), "");
  ++config.logical_pages;
  EXPECT_TRUE(mentions(reason(config), "leaves cleaning nothing to reclaim"));
  config.logical_pages = 0;
  EXPECT_TRUE(mentions(reason(config), "no logical pages"));
}

TEST(FmsConfigCheck, refuses_more_active_segments_than_the_part_allows) {
  FmsVolume config = small_config();
  config.logical_pages = 40;
  config.redistribution = "dac";
  config.params.set("regions", 4);
  EXPECT_EQ(reason(config), "");
  config.params.set("regions", 7);
  EXPECT_TRUE(mentions(reason(config), "segments of a die are too few"));
  config = small_config();
  config.high_water = 12;
  EXPECT_TRUE(mentions(reason(config), "segments of a die are too few"));
}

TEST(FmsConfigCheck, low_water_may_be_less_than_the_segments_that_copies_take) {
  for (const auto& redistribution : fms::redistributions()) {
    FmsVolume config = small_config();
    config.redistribution = redistribution.name;
    config.logical_pages = 30;
    config.low_water = config.high_water = 1;
    if (redistribution.partitioned) continue;
    EXPECT_EQ(reason(config), "") << redistribution.name;
    EXPECT_GE(volume::reserve_of(PagedConfig(config)), fms::choice_of(config).copy_streams() + 1)
        << redistribution.name;
  }
}

TEST(FmsConfigCheck, copies_of_a_victim_may_take_a_free_segment_of_each_stream_of_the_redistribution) {
  FmsConfig config;
  config.redistribution = "dac";
  config.params.set("regions", 4);
  for (const char* placement : {"apart", "mixed"}) {
    config.read_only_placement = placement;
    EXPECT_EQ(fms::choice_of(config).copy_streams(), 4U) << placement;
  }
  config.redistribution = "sequential";
  EXPECT_EQ(fms::choice_of(config).copy_streams(), 1U);
}

TEST(FmsConfigCheck, a_separation_brings_streams_in_place_of_those_of_the_redistribution) {
  FmsConfig config;
  config.redistribution = "sequential";
  for (const auto& [name, streams, copies] :
       {std::tuple{"none", 1U, 1U}, {"oracle", 2U, 1U}, {"recency", 2U, 2U}, {"sepbit", 6U, 4U}, {"future", 6U, 6U}}) {
    config.separation = name;
    config.pool_choice = "together";
    config.read_only_placement = "mixed";
    EXPECT_EQ(fms::choice_of(config).streams(), streams) << name;
    EXPECT_EQ(fms::choice_of(config).copy_streams(), copies) << name;
    config.read_only_placement = "apart";
    EXPECT_EQ(fms::choice_of(config).streams(), streams + 1) << name;
  }
  config.separation = "oracle";
  config.pool_choice = "together";
  config.params.set("pools", 5);
  EXPECT_EQ(fms::choice_of(config).streams(), 6U);
}

TEST(FmsConfigCheck, a_separation_goes_with_redistributions_that_only_sort) {
  std::set<std::string_view> sort;
  for (const auto& redistribution : fms::redistributions()) {
    FmsVolume config = small_config();
    config.logical_pages = 30;
    config.redistribution = redistribution.name;
    config.separation = "recency";
    config.pool_choice = "together";
    const std::string why = reason(config);
    if (why.empty()) sort.insert(redistribution.name);
    if (!why.empty() && !redistribution.partitioned) {
      EXPECT_TRUE(mentions(why, "both say which pages lie together")) << why;
    }
    config.separation = "by_colour";
    EXPECT_NE(reason(config), "");
  }
  EXPECT_EQ(sort, (std::set<std::string_view>{"sequential", "age_sort", "times_sort"}));
}

TEST(FmsConfigCheck, a_pool_choice_takes_one_victim_at_a_time_from_lists_and_no_segments_of_read_only_data) {
  FmsVolume config = small_config();
  config.logical_pages = 30;
  config.redistribution = "sequential";
  config.separation = "recency";
  config.read_only_placement = "mixed";
  for (const auto& selection : fms::selections()) {
    if (selection.partitioned) continue;
    config.selection = selection.name;
    for (const auto& pool_choice : fms::pool_choices()) {
      config.pool_choice = pool_choice.name;
      const bool goes = selection.listed.exists() || pool_choice.one_pool;
      EXPECT_EQ(mentions(reason(config), "pool_choice chooses among victims"), !goes) << selection.name;
      EXPECT_EQ(reason(config).empty(), goes) << selection.name << " " << pool_choice.name << " " << reason(config);
    }
  }
  config.selection = "greedy";
  config.pool_choice = "split";
  config.clean_at_once = 2;
  EXPECT_TRUE(mentions(reason(config), "clean_at_once takes several victims"));
  config.clean_at_once = 1;
  config.read_only_placement = "apart";
  EXPECT_TRUE(mentions(reason(config), "read_only data in segments of its own has no pool"));
  config.separation = "none";
  EXPECT_EQ(reason(config), "") << "there are no pools";
  config.pool_choice = "by_colour";
  EXPECT_TRUE(mentions(reason(config), "pool_choice is none of the names"));
}

TEST(FmsConfigCheck, policies_that_work_on_partitions_are_refused_with_any_that_do_not) {
  std::uint32_t accepted = 0;
  for (const auto& trigger : fms::triggers()) {
    for (const auto& selection : fms::selections()) {
      for (const auto& redistribution : fms::redistributions()) {
        FmsVolume config = small_config();
        config.trigger = trigger.name;
        config.selection = selection.name;
        config.redistribution = redistribution.name;
        config.shared.partitions = 2;
        config.low_water = config.high_water = 3;
        config.logical_pages = 30;
        const bool one_kind =
            trigger.partitioned == selection.partitioned && selection.partitioned == redistribution.partitioned;
        EXPECT_EQ(!mentions(reason(config), " works with "), one_kind) << reason(config);
        if (!one_kind || !trigger.partitioned) continue;
        ++accepted;
        EXPECT_EQ(reason(config), "");
        config.read_only_placement = "apart";
        EXPECT_TRUE(mentions(reason(config), "read_only = \"mixed\""));
      }
    }
  }
  EXPECT_EQ(accepted, 2U) << "gathering and preservation";
}

TEST(FmsConfigCheck, partitions_need_one_free_segment_for_copies_and_one_open_each) {
  FmsVolume config = small_config();
  config.trigger = "partition_full";
  config.selection = "partition_fifo";
  config.redistribution = "locality_gathering";
  config.logical_pages = 30;
  config.low_water = config.high_water = 1;
  for (const std::uint32_t partitions : {2U, 4U}) {
    config.shared.partitions = partitions;
    EXPECT_EQ(reason(config), "");
    EXPECT_EQ(fms::choice_of(config).streams(), partitions);
    EXPECT_EQ(fms::choice_of(config).copy_streams(), 1U);
  }
  config.shared.partitions = 12;
  EXPECT_TRUE(mentions(reason(config), "segments of a die are too few"));
  config.shared.partitions = 32;
  EXPECT_TRUE(mentions(reason(config), "partitions must be"));
}

TEST(FmsConfigCheck, refuses_what_the_port_cannot_do) {
  EmulatedFlashOptions part = small_part();
  part.capabilities.in_place_clear = false;
  EXPECT_TRUE(mentions(reason(small_config(), part), "cleared in place"));
  part = small_part();
  part.geometry.rated_erase_cycles = 0;
  FmsVolume config = small_config();
  config.wear_leveling = "swap";
  EXPECT_TRUE(mentions(reason(config, part), "swap_from"));
}

}  // namespace
}  // namespace ftlab::tests
