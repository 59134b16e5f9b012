// The FMS on a NOR part, for campaigns.
#pragma once

#include <string>

#include "tests/fixtures/emulated_flash.h"
#include "tests/fixtures/fms_fixture.h"
#include "tests/powerloss/layers/fms_drawn.h"
#include "tests/powerloss/layers/nor_damage.h"
#include "tests/powerloss/page_oracle.h"

namespace ftlab::tests {

struct FmsOnNor {
  static constexpr const char* kName = "fms-nor";
  using Flash = EmulatedFlash;
  using Session = FmsSession;
  static constexpr OracleRules kRules{};
  /// Whether the mount moves pages that only a recovery read gives.
  static constexpr bool kMountMovesRecovered = false;

  static constexpr const auto& kDamages = kNorDamages;

  struct Setup {
    EmulatedFlashOptions part;
    FmsConfig config;
  };

  /// Null when the configuration works, else why not.
  static const char* check(const Setup& s) { return fms::check(s.config, s.part.geometry, s.part.capabilities); }

  static Setup draw(Dice& dice, bool fullest) {
    Setup s;
    s.config = draw_fms_config(dice);
    s.config.page_bytes = 64U << dice.below(3);
    s.config.data_checksum = dice.chance(400);
    s.part.geometry.segments = dice.between(5, 16);
    s.part.geometry.segment_bytes = 1024U << dice.below(3);
    s.part.geometry.program_unit_bytes = dice.between(1, 2);
    s.part.geometry.parallel_units = dice.chance(300) ? 2 : 1;
    if (s.part.geometry.parallel_units == 2) s.part.geometry.segments = s.part.geometry.segments / 2 * 2 + 2;
    s.part.geometry.rated_erase_cycles = 1000;
    s.part.capabilities.chained = dice.chance(700);
    s.part.capabilities.background_erase = dice.chance(700);
    s.part.capabilities.queue_depth = dice.chance(300) ? 1 : dice.between(2, 8);
    s.part.erase_delay = dice.between(1, 12);
    s.config.logical_pages = draw_logical_pages(dice, fms::max_logical_pages(s.config, s.part.geometry), fullest);
    return s;
  }

  static void prepare(EmulatedFlash&, const Setup&, Dice&) {}

  /// With so many segments failed the volume may have become read-only.
  static bool may_be_read_only(const Setup& s, std::uint32_t failed) {
    FlashGeometry left = s.part.geometry;
    left.segments -= std::min(left.segments, failed + 2);
    return fms::max_logical_pages(s.config, left) < s.config.logical_pages;
  }

  static bool has_data_checksum(const Setup& s) { return s.config.data_checksum; }

  static std::string describe(const Setup& s) {
    const FlashGeometry& g = s.part.geometry;
    return tests::describe(s.config) + ", NOR " + std::to_string(g.segments) + " x " + std::to_string(g.segment_bytes) +
           (s.part.capabilities.chained ? " chained" : "") + " queue " +
           std::to_string(s.part.capabilities.queue_depth);
  }
};

}  // namespace ftlab::tests
