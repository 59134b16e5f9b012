// The FMS on a NAND part, for campaigns.
#pragma once

#include <string>

#include "tests/fixtures/fms_fixture.h"
#include "tests/powerloss/layers/fms_drawn.h"
#include "tests/powerloss/layers/nand_damage.h"
#include "tests/powerloss/layers/nand_part.h"
#include "tests/powerloss/page_oracle.h"

namespace ftlab::tests {

struct FmsOnNand {
  static constexpr const char* kName = "fms-nand";
  using Flash = EmulatedNand;
  using Session = FmsSession;
  static constexpr OracleRules kRules{.parts_need_flush = false, .trims_need_flush = true};
  static constexpr bool kMountMovesRecovered = false;

  static constexpr const auto& kDamages = kNandDamages;

  struct Setup {
    EmulatedNandOptions part;
    DrawnNand drawn;
    FmsConfig config;
  };

  static const char* check(const Setup& s) {
    const EmulatedNand flash(s.part);
    return fms::check(s.config, flash.geometry(), flash.capabilities());
  }

  static Setup draw(Dice& dice, bool fullest) {
    Setup s;
    s.config = draw_fms_config(dice);
    s.config.erase_mode = FmsConfig::EraseMode::wait;
    s.drawn = draw_nand(dice);
    s.part = s.drawn.part;
    s.config.page_bytes = s.part.page_bytes;
    const std::uint32_t most = fms::max_logical_pages(s.config, without_bad(s.drawn));
    s.config.logical_pages = draw_logical_pages(dice, most, fullest);
    return s;
  }

  static void prepare(EmulatedNand& flash, const Setup& s, Dice& dice) { mark_bad_segments(flash, s.drawn, dice); }

  static bool may_be_read_only(const Setup& s, std::uint32_t failed) {
    return fms::max_logical_pages(s.config, without_bad(s.drawn, failed + 2)) < s.config.logical_pages;
  }

  static bool has_data_checksum(const Setup&) { return false; }

  static std::string describe(const Setup& s) { return tests::describe(s.config) + ", " + tests::describe(s.drawn); }
};

}  // namespace ftlab::tests
