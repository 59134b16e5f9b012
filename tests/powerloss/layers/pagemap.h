// The page-mapped layer on NOR and NAND parts, for campaigns.
#pragma once

#include <algorithm>
#include <string>

#include "tests/fixtures/pagemap_fixture.h"
#include "tests/powerloss/layers/fms_drawn.h"
#include "tests/powerloss/layers/nand_damage.h"
#include "tests/powerloss/layers/nand_part.h"
#include "tests/powerloss/layers/nor_damage.h"
#include "tests/powerloss/page_oracle.h"

namespace ftlab::tests {

inline std::string describe(const PageMapConfig& c) {
  return "pages " + std::to_string(c.logical_pages) + " x " + std::to_string(c.page_bytes) + " water " +
         std::to_string(c.low_water) + (c.data_checksum ? " checksum" : "");
}

struct PageMapOnNor {
  static constexpr const char* kName = "pagemap-nor";
  using Flash = EmulatedFlash;
  using Session = PageMapSession;
  static constexpr OracleRules kRules{};
  static constexpr bool kMountMovesRecovered = false;
  static constexpr const auto& kDamages = kNorDamages;

  struct Setup {
    EmulatedFlashOptions part;
    PageMapConfig config;
  };

  static const char* check(const Setup& s) { return pagemap::check(s.config, s.part.geometry, s.part.capabilities); }

  static Setup draw(Dice& dice, bool fullest) {
    Setup s;
    s.config.low_water = dice.between(1, dice.chance(100) ? 8 : 4);
    s.config.page_bytes = 64U << dice.below(3);
    s.config.data_checksum = dice.chance(400);
    s.part.geometry.segments = dice.between(5, 16);
    s.part.geometry.segment_bytes = 1024U << dice.below(3);
    s.part.geometry.program_unit_bytes = dice.between(1, 2);
    s.part.geometry.parallel_units = dice.chance(300) ? 2 : 1;
    if (s.part.geometry.parallel_units == 2) s.part.geometry.segments = s.part.geometry.segments / 2 * 2 + 2;
    s.part.geometry.rated_erase_cycles = 1000;
    s.part.capabilities.chained = dice.chance(700);
    s.part.capabilities.queue_depth = dice.chance(300) ? 1 : dice.between(2, 8);
    s.config.logical_pages = draw_logical_pages(dice, pagemap::max_logical_pages(s.config, s.part.geometry), fullest);
    return s;
  }

  static void prepare(EmulatedFlash&, const Setup&, Dice&) {}

  static bool may_be_read_only(const Setup& s, std::uint32_t failed) {
    FlashGeometry left = s.part.geometry;
    left.segments -= std::min(left.segments, failed + 2);
    return pagemap::max_logical_pages(s.config, left) < s.config.logical_pages;
  }

  static bool has_data_checksum(const Setup& s) { return s.config.data_checksum; }

  static std::string describe(const Setup& s) {
    const FlashGeometry& g = s.part.geometry;
    return tests::describe(s.config) + ", NOR " + std::to_string(g.segments) + " x " + std::to_string(g.segment_bytes) +
           (s.part.capabilities.chained ? " chained" : "") + " queue " +
           std::to_string(s.part.capabilities.queue_depth);
  }
};

struct PageMapOnNand {
  static constexpr const char* kName = "pagemap-nand";
  using Flash = EmulatedNand;
  using Session = PageMapSession;
  static constexpr OracleRules kRules{.parts_need_flush = false, .trims_need_flush = true};
  static constexpr bool kMountMovesRecovered = false;
  static constexpr const auto& kDamages = kNandDamages;

  struct Setup {
    EmulatedNandOptions part;
    DrawnNand drawn;
    PageMapConfig config;
  };

  static const char* check(const Setup& s) {
    const EmulatedNand flash(s.part);
    return pagemap::check(s.config, flash.geometry(), flash.capabilities());
  }

  static Setup draw(Dice& dice, bool fullest) {
    Setup s;
    s.config.low_water = dice.between(1, dice.chance(100) ? 8 : 4);
    s.drawn = draw_nand(dice);
    s.part = s.drawn.part;
    s.config.page_bytes = s.part.page_bytes;
    s.config.logical_pages =
        draw_logical_pages(dice, pagemap::max_logical_pages(s.config, without_bad(s.drawn)), fullest);
    return s;
  }

  static void prepare(EmulatedNand& flash, const Setup& s, Dice& dice) { mark_bad_segments(flash, s.drawn, dice); }

  static bool may_be_read_only(const Setup& s, std::uint32_t failed) {
    return pagemap::max_logical_pages(s.config, without_bad(s.drawn, failed + 2)) < s.config.logical_pages;
  }

  static bool has_data_checksum(const Setup&) { return false; }

  static std::string describe(const Setup& s) { return tests::describe(s.config) + ", " + tests::describe(s.drawn); }
};

}  // namespace ftlab::tests
