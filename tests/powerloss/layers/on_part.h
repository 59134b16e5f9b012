// A layer on a drawn NOR or NAND part, for the kit: all that does not depend on the layer. A Firmware gives
//   Layer, Config
//   draw(choices)                        a configuration but for page size and logical pages
//   check(config, geometry, capabilities), max_logical_pages(config, geometry, bad), describe(config)
// where choices have below(), between(), chance() and one_of(): dice here, the bytes of an input for a fuzzer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "tests/fixtures/dice.h"
#include "tests/fixtures/emulated_flash.h"
#include "tests/fixtures/mount_session.h"
#include "tests/fixtures/page_oracle.h"
#include "tests/fixtures/requests_in_flight.h"
#include "tests/powerloss/layers/nand_damage.h"
#include "tests/powerloss/layers/nand_part.h"
#include "tests/powerloss/layers/nor_damage.h"

namespace ftlab::tests {

/// Half of all volumes are as full as they may be.
inline std::uint32_t draw_logical_pages(Dice& dice, std::uint32_t most, bool fullest) {
  if (fullest || most < 2 || dice.chance(500)) return most;
  return dice.between(std::max(1U, most / 2), most);
}

template <class Firmware>
struct OnNor {
  using Firm = Firmware;
  using Config = typename Firmware::Config;
  using Flash = EmulatedFlash;
  using Session = MountSession<typename Firmware::Layer, Config>;
  static constexpr OracleRules kRules{};
  static constexpr Overlap overlap(const Flash&) { return Overlap::none; }
  /// Whether the mount moves pages that only a recovery read gives.
  static constexpr bool kMountMovesRecovered = false;

  struct Setup {
    EmulatedFlashOptions part;
    Config config;
  };

  /// Null when the configuration works, else why not.
  static const char* check(const Setup& s) { return Firmware::check(s.config, s.part.geometry, s.part.capabilities); }

  static Setup draw(Dice& dice, bool fullest) {
    Setup s;
    s.config = Firmware::draw(dice);
    s.config.page_bytes = 64U << dice.below(4);
    s.config.data_checksum = dice.chance(400);
    PartGeometry& g = s.part.geometry;
    g.segments = dice.between(4, 20);
    g.segment_bytes = 1024U << dice.below(3);
    g.program_unit_bytes = dice.between(1, 2);
    g.parallel_units = dice.chance(300) ? 2 : 1;
    if (g.parallel_units == 2) g.segments = g.segments / 2 * 2 + 2;
    g.rated_erase_cycles = 1000;
    s.part.capabilities.background_erase = dice.chance(700);
    s.part.capabilities.queue_depth = dice.chance(300) ? 1 : dice.between(2, 8);
    s.part.erase_delay = dice.between(1, dice.chance(200) ? 60 : 12);
    s.config.logical_pages = draw_logical_pages(dice, Firmware::max_logical_pages(s.config, g), fullest);
    return s;
  }

  static void prepare(EmulatedFlash&, const Setup&, Dice&) {}

  /// With so many segments failed the volume may have become read-only.
  static bool may_be_read_only(const Setup& s, std::uint32_t failed) {
    return Firmware::max_logical_pages(s.config, s.part.geometry, failed + 2) < s.config.logical_pages;
  }

  static bool has_data_checksum(const Setup& s) { return s.config.data_checksum; }

  static std::string describe(const Setup& s) {
    const PartGeometry& g = s.part.geometry;
    return Firmware::describe(s.config) + ", NOR " + std::to_string(g.segments) + " x " +
           std::to_string(g.segment_bytes) + " queue " + std::to_string(s.part.capabilities.queue_depth);
  }
};

template <class Firmware>
struct OnNand {
  using Firm = Firmware;
  using Config = typename Firmware::Config;
  using Flash = EmulatedNand;
  using Session = MountSession<typename Firmware::Layer, Config>;
  static constexpr OracleRules kRules = kTrimsNeedFlush;
  static constexpr Overlap overlap(const Flash&) { return Overlap::none; }
  static constexpr bool kMountMovesRecovered = false;

  struct Setup {
    EmulatedNandOptions part;
    DrawnNand drawn;
    Config config;
  };

  static const char* check(const Setup& s) {
    const EmulatedNand flash(s.part);
    return Firmware::check(s.config, flash.geometry(), flash.capabilities());
  }

  static Setup draw(Dice& dice, bool fullest) {
    Setup s;
    s.config = Firmware::draw(dice);
    s.drawn = draw_nand(dice);
    s.part = s.drawn.part;
    s.config.page_bytes = s.part.page_bytes;
    const EmulatedNand flash(s.part);
    const std::uint32_t most = Firmware::max_logical_pages(s.config, flash.geometry(), s.drawn.bad_segments);
    s.config.logical_pages = draw_logical_pages(dice, most, fullest);
    return s;
  }

  static void prepare(EmulatedNand& flash, const Setup& s, Dice& dice) { mark_bad_segments(flash, s.drawn, dice); }

  static bool may_be_read_only(const Setup& s, std::uint32_t failed) {
    const EmulatedNand flash(s.part);
    const std::uint32_t bad = s.drawn.bad_segments + failed + 2;
    return Firmware::max_logical_pages(s.config, flash.geometry(), bad) < s.config.logical_pages;
  }

  static bool has_data_checksum(const Setup&) { return false; }

  static std::string describe(const Setup& s) { return Firmware::describe(s.config) + ", " + tests::describe(s.drawn); }
};

}  // namespace ftlab::tests
