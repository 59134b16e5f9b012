// How an input becomes the page-mapped layer on a tiny NOR or NAND part that is served as an array.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "firmware/policy/policy_choice.h"
#include "tests/fuzz/firmware/page_damage.h"
#include "tests/fuzz/firmware/pairs.h"

namespace ftlab::fuzz {

template <class Tested>
concept OnPagedFlash = std::is_same_v<typename Tested::Config, tests::PagedConfig>;

template <OnPagedFlash Tested>
struct Pair<Tested> {
  using Layer = tests::PagedLayer;
  using Config = tests::PagedConfig;
  using Flash = typename Tested::Flash;
  static constexpr bool kNor = std::is_same_v<Flash, tests::EmulatedFlash>;
  static constexpr bool kFms = std::is_same_v<Tested, tests::FmsOnNor> || std::is_same_v<Tested, tests::FmsOnNand>;
  static constexpr bool kSlc = std::is_same_v<Tested, tests::PageWithSlcOnNand>;
  using Damage = std::conditional_t<kNor, PageNorDamage, NandDamage<PageFormat>>;
  static constexpr tests::OracleRules kRules = Tested::kRules;

  /// On NAND two dies, as copies stay inside one and the host's pages go to both.
  static auto part() {
    if constexpr (kNor) {
      return tiny_nor();
    } else {
      auto options = tiny_nand();
      // What is filled as SLC takes from the spare space.
      options.segments = (kSlc ? 4 : 2) * kSegments;
      options.parallel_units = 2;
      options.no_wait = true;
      return options;
    }
  }

  static Config draw(Input& in, const PartGeometry&) {
    InputChoices choices(in);
    Config config = of_part();
    if constexpr (kFms) {
      (void)tests::draw_fms(choices, config);
    } else {
      tests::draw_page_policies(choices, config);
      if constexpr (kSlc)
        tests::draw_slc(choices, config);
      else
        (void)tests::draw_other_policies(choices, config);
    }
    config.part.data_checksum = kNor && choices.chance(250);
    if (!kNor && choices.chance(300)) config.part.page_bytes = kHalfPage;
    config.logical_pages = draw_pages(in, most_pages(config));
    return config;
  }

  /// Of the volumes that are damaged: with checkpoints and without, one and several streams, checksums, two pages in
  /// one of the part.
  static std::vector<Config> to_be_damaged() {
    std::vector<Config> configs(4, of_part());
    configs[1].checkpoint_every = configs[2].checkpoint_every = 20;
    configs[2].separation = "recency";
    configs[3].frontiers = VolumeConfig::Frontiers::host_and_cleaning;
    configs[3].part.data_checksum = kNor;
    if (!kNor) configs[2].part.page_bytes = configs[3].part.page_bytes = kHalfPage;
    for (Config& config : configs) {
      if constexpr (kFms) {
        FmsConfig fms;
        fms.low_water = fms.high_water = 1;
        fms.read_only_placement = "mixed";
        fms.separation = config.separation;
        fms.pool_choice = "together";
        if (config.separation != "none") fms.redistribution = "sequential";
        config.take_policies(fms);
      }
      if constexpr (kSlc) {
        config.frontiers = VolumeConfig::Frontiers::host_and_cleaning;
        config.separation = "none";
        config.slc_segments = 1;
        config.part.slc = true;
      }
      config.logical_pages = most_pages(config);
    }
    return configs;
  }

 private:
  static constexpr std::uint32_t kHalfPage = 128;

  static Config of_part() {
    Config config;
    config.part.page_bytes = kNor ? 128 : 0;
    config.part.buffers = 8;
    config.part.refresh.reads = kNor ? 0 : 40;
    return config;
  }
  static std::uint32_t most_pages(const Config& config) {
    static Flash flash(part());
    return tests::max_page_ftl_pages(config, tests::geometry_of(flash, config), 0);
  }
};

}  // namespace ftlab::fuzz
