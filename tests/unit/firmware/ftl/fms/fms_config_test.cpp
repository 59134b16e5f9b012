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

class FmsConfigCheck : public testing::Test {
 protected:
  [[nodiscard]] std::string reason(const EmulatedFlashOptions& part = small_part()) const {
    EmulatedFlash flash(part);
    const char* text = refusal(config_, flash);
    return text != nullptr ? text : "";
  }
  [[nodiscard]] bool says(const char* words, const EmulatedFlashOptions& part = small_part()) const {
    return reason(part).find(words) != std::string::npos;
  }
  /// Then it is as before.
  void refused(const char* words, const EmulatedFlashOptions& part = small_part()) {
    EXPECT_TRUE(says(words, part)) << words << ": " << reason(part);
    config_ = small_config();
  }
  void unknown(auto key, std::string_view name, const std::string& said) {
    config_.*key = name;
    refused((said + " is none of the names").c_str());
  }

  FmsVolume config_ = small_config();
};

TEST_F(FmsConfigCheck, accepts_the_papers_configuration) {
  config_ = {};
  config_.logical_pages = 5245;
  EXPECT_EQ(reason(paper_card()), "");
}

TEST_F(FmsConfigCheck, refuses_what_is_unknown_or_out_of_range) {
  unknown(&FmsVolume::selection, "gready", "selection");
  unknown(&FmsVolume::redistribution, "m6", "redistribution");
  unknown(&FmsVolume::wear_leveling, "static", "wear_leveling");
  unknown(&FmsVolume::read_only_placement, "aside", "read_only");
  unknown(&FmsVolume::trigger, "never", "trigger");
  for (const std::uint32_t at_once : {0U, 65U}) {
    config_.clean_at_once = at_once;
    refused("clean_at_once must be at least 1 and at most 64");
  }
  for (const std::uint64_t exponent : {std::uint64_t{0}, fms::kExponentSteps + 1}) {
    config_.shared.age_exponent = exponent;
    refused("age_exponent must be above 0 and at most 1");
  }
  for (const std::uint32_t bytes : {0U, 301U, 4096U}) {
    config_.page_bytes = bytes;
    refused("pages of this size do not suit");
  }
}

TEST_F(FmsConfigCheck, refuses_an_age_exponent_at_which_hot_degrees_vanish) {
  config_.redistribution = "fine_grained";
  config_.low_water = config_.high_water = 2;
  config_.shared.age_exponent = fms::kExponentSteps / 2 + 1;
  EXPECT_EQ(reason(), "");
  config_.age_clock = FmsConfig::AgeClock::time;
  EXPECT_TRUE(says("leaves nothing of a hot degree"));
  config_.shared.age_exponent = fms::kExponentSteps / 2;
  EXPECT_EQ(reason(), "");
  config_.shared.age_exponent = fms::kExponentSteps;
  config_.redistribution = "sequential";
  EXPECT_EQ(reason(), "");
}

TEST_F(FmsConfigCheck, refuses_a_hot_function_at_which_hot_degrees_vanish) {
  config_.redistribution = "times_sort";
  config_.age_clock = FmsConfig::AgeClock::time;
  config_.shared.hot_function = fms::AgeFunction::identity;
  EXPECT_TRUE(says("hot_function \"identity\" leaves nothing"));
  config_.shared.hot_function = fms::AgeFunction::log;
  EXPECT_EQ(reason(), "");
  config_.shared.age_unit = 0;
  refused("age_unit must be at least 1");
}

TEST_F(FmsConfigCheck, refuses_a_utilisation_above_what_cleaning_needs) {
  EmulatedFlash flash(small_part());
  config_.logical_pages = max_logical_pages(config_, flash);
  EXPECT_EQ(reason(), "");
  ++config_.logical_pages;
  refused("leaves cleaning nothing to reclaim");
  config_.logical_pages = 0;
  refused("no logical pages");
}

TEST_F(FmsConfigCheck, refuses_more_active_segments_than_the_part_allows) {
  config_.logical_pages = 40;
  config_.redistribution = "dac";
  config_.params.set("regions", 4);
  EXPECT_EQ(reason(), "");
  config_.params.set("regions", 7);
  refused("segments of a die are too few");
  config_.high_water = 12;
  refused("segments of a die are too few");
}

TEST_F(FmsConfigCheck, low_water_may_be_less_than_the_segments_that_copies_take) {
  for (const auto& redistribution : fms::redistributions()) {
    config_ = small_config();
    config_.redistribution = redistribution.name;
    config_.logical_pages = 30;
    config_.low_water = config_.high_water = 1;
    if (redistribution.partitioned) continue;
    EXPECT_EQ(reason(), "") << redistribution.name;
    EXPECT_GE(volume::reserve_of(PagedConfig(config_)), fms::choice_of(config_).copy_streams() + 1)
        << redistribution.name;
  }
}

TEST(FmsChoice, copies_of_a_victim_may_take_a_free_segment_of_each_stream_of_the_redistribution) {
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

TEST(FmsChoice, a_separation_brings_streams_in_place_of_those_of_the_redistribution) {
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

TEST_F(FmsConfigCheck, a_separation_goes_with_redistributions_that_only_sort) {
  std::set<std::string_view> sort;
  for (const auto& redistribution : fms::redistributions()) {
    config_ = small_config();
    config_.logical_pages = 30;
    config_.redistribution = redistribution.name;
    config_.separation = "recency";
    config_.pool_choice = "together";
    const std::string why = reason();
    if (why.empty()) sort.insert(redistribution.name);
    if (!why.empty() && !redistribution.partitioned) {
      EXPECT_NE(why.find("both say which pages lie together"), std::string::npos) << why;
    }
    config_.separation = "by_colour";
    EXPECT_NE(reason(), "");
  }
  EXPECT_EQ(sort, (std::set<std::string_view>{"sequential", "age_sort", "times_sort"}));
}

TEST_F(FmsConfigCheck, a_pool_choice_takes_one_victim_at_a_time_from_lists_and_no_segments_of_read_only_data) {
  config_.logical_pages = 30;
  config_.redistribution = "sequential";
  config_.separation = "recency";
  config_.read_only_placement = "mixed";
  for (const auto& selection : fms::selections()) {
    if (selection.partitioned) continue;
    config_.selection = selection.name;
    for (const auto& pool_choice : fms::pool_choices()) {
      config_.pool_choice = pool_choice.name;
      const bool goes = selection.listed.exists() || pool_choice.one_pool;
      EXPECT_EQ(says("pool_choice chooses among victims"), !goes) << selection.name;
      EXPECT_EQ(reason().empty(), goes) << selection.name << " " << pool_choice.name << " " << reason();
    }
  }
  config_.selection = "greedy";
  config_.pool_choice = "split";
  config_.clean_at_once = 2;
  EXPECT_TRUE(says("clean_at_once takes several victims"));
  config_.clean_at_once = 1;
  config_.read_only_placement = "apart";
  EXPECT_TRUE(says("read_only data in segments of its own has no pool"));
  config_.separation = "none";
  EXPECT_EQ(reason(), "") << "there are no pools";
  config_.pool_choice = "by_colour";
  EXPECT_TRUE(says("pool_choice is none of the names"));
}

TEST_F(FmsConfigCheck, policies_that_work_on_partitions_are_refused_with_any_that_do_not) {
  std::uint32_t accepted = 0;
  for (const auto& trigger : fms::triggers()) {
    for (const auto& selection : fms::selections()) {
      for (const auto& redistribution : fms::redistributions()) {
        config_ = small_config();
        config_.trigger = trigger.name;
        config_.selection = selection.name;
        config_.redistribution = redistribution.name;
        config_.shared.partitions = 2;
        config_.low_water = config_.high_water = 3;
        config_.logical_pages = 30;
        const bool one_kind =
            trigger.partitioned == selection.partitioned && selection.partitioned == redistribution.partitioned;
        EXPECT_EQ(!says(" works with "), one_kind) << reason();
        if (!one_kind || !trigger.partitioned) continue;
        ++accepted;
        EXPECT_EQ(reason(), "");
        config_.read_only_placement = "apart";
        EXPECT_TRUE(says("read_only = \"mixed\""));
      }
    }
  }
  EXPECT_EQ(accepted, 2U) << "gathering and preservation";
}

TEST_F(FmsConfigCheck, partitions_need_one_free_segment_for_copies_and_one_open_each) {
  config_.trigger = "partition_full";
  config_.selection = "partition_fifo";
  config_.redistribution = "locality_gathering";
  config_.logical_pages = 30;
  config_.low_water = config_.high_water = 1;
  for (const std::uint32_t partitions : {2U, 4U}) {
    config_.shared.partitions = partitions;
    EXPECT_EQ(reason(), "");
    EXPECT_EQ(fms::choice_of(config_).streams(), partitions);
    EXPECT_EQ(fms::choice_of(config_).copy_streams(), 1U);
  }
  config_.shared.partitions = 12;
  EXPECT_TRUE(says("segments of a die are too few"));
  config_.shared.partitions = 32;
  EXPECT_TRUE(says("partitions must be"));
}

TEST_F(FmsConfigCheck, refuses_what_the_port_cannot_do) {
  EmulatedFlashOptions part = small_part();
  part.capabilities.in_place_clear = false;
  refused("cleared in place", part);
  part = small_part();
  part.geometry.rated_erase_cycles = 0;
  config_.wear_leveling = "swap";
  refused("swap_from", part);
}

}  // namespace
}  // namespace ftlab::tests
