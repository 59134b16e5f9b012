// The FMS on NOR and NAND parts, for the kit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "firmware/ftl/fms/fms.h"
#include "firmware/policy/policies.h"
#include "tests/fixtures/policy_params.h"
#include "tests/powerloss/layers/on_part.h"

namespace ftlab::tests {

struct FmsFirmware {
  using Layer = Fms;
  using Config = FmsConfig;

  static Config draw(Dice& dice) {
    Config config;
    config.trigger = dice.one_of(fms::triggers()).name;
    config.selection = dice.one_of(fms::selections()).name;
    config.redistribution = dice.one_of(fms::redistributions()).name;
    config.wear_leveling = dice.one_of(fms::wear_levelers()).name;
    config.params.set("swap_from", dice.below(7));
    config.params.set("swap_spread", dice.between(1, 4));
    config.low_water = dice.between(1, dice.chance(200) ? 16 : 4);
    config.high_water = dice.between(1, dice.chance(200) ? 17 : 5);
    if (dice.chance(400)) config.age_clock = FmsConfig::AgeClock::time;
    config.read_only_placement = dice.one_of(fms::placements()).name;
    if (dice.chance(400)) config.erase_mode = FmsConfig::EraseMode::overlap;
    config.idle_cleaning = dice.chance(500);
    config.idle_water = dice.below(dice.chance(200) ? 18 : 6);
    config.idle_min_ns = dice.chance(500) ? 1 : 1'000'000'000;
    match_partitions(config);
    draw_params(config, [&](std::uint32_t below) { return dice.below(below); });
    if (dice.chance(500)) config.low_water = std::max(config.low_water, fms::open_segments(config));
    return config;
  }
  static std::uint32_t segment_units(const Config& config) { return config.segment_units; }
  static const char* check(const Config& config, const FlashGeometry& geometry, const FlashCapabilities& can) {
    return fms::check(config, geometry, can);
  }
  static std::uint32_t max_logical_pages(const Config& config, const FlashGeometry& geometry, std::uint32_t bad = 0) {
    return fms::max_logical_pages(config, geometry, bad);
  }
  static std::string describe(const Config& c) {
    using std::to_string;
    return std::string(c.trigger) + "/" + std::string(c.selection) + "/" + std::string(c.redistribution) + "/" +
           std::string(c.wear_leveling) + params_text(c) + " pages " + to_string(c.logical_pages) + " x " +
           to_string(c.page_bytes) + " water " + to_string(c.low_water) + "," + to_string(c.high_water) +
           (c.age_clock == FmsConfig::AgeClock::time ? " time" : "") + " " + std::string(c.read_only_placement) +
           (c.erase_mode == FmsConfig::EraseMode::overlap ? " overlap" : "") + (c.data_checksum ? " checksum" : "") +
           (c.idle_cleaning ? " idle " + to_string(c.idle_water) : "") +
           (c.segment_units > 1 ? " of " + to_string(c.segment_units) + " units" : "");
  }
};

/// NAND parts of the kit erase nothing in the background.
struct FmsFirmwareThatWaits : FmsFirmware {
  static Config draw(Dice& dice) {
    Config config = FmsFirmware::draw(dice);
    config.erase_mode = Config::EraseMode::wait;
    return config;
  }
};

struct FmsOnNor : OnNor<FmsFirmware> {
  static constexpr const char* kName = "fms-nor";

  /// Sometimes the same segments of several erase units.
  static void divide_segments(Setup& s, Dice& dice) {
    if (!dice.chance(300)) return;
    Setup divided = s;
    divided.config.segment_units = 2U << dice.below(2);
    divided.part.geometry.segments *= divided.config.segment_units;
    divided.part.geometry.segment_bytes /= divided.config.segment_units;
    if (check(divided) == nullptr) s = divided;
  }
};

struct FmsOnNand : OnNand<FmsFirmwareThatWaits> {
  static constexpr const char* kName = "fms-nand";
};

}  // namespace ftlab::tests
