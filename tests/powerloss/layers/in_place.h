// Update in place on NOR and NAND parts, for the kit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/fixtures/in_place_layer.h"
#include "tests/fixtures/mount_session.h"
#include "tests/fixtures/requests_in_flight.h"
#include "tests/powerloss/layers/nand_damage.h"
#include "tests/powerloss/layers/nand_part.h"
#include "tests/powerloss/layers/nor_damage.h"

namespace ftlab::tests {

/// What is drawn of it here, and from the bytes of an input by a fuzzer.
struct InPlaceFirmware {
  using Layer = InPlaceLayer;
  using Config = InPlacePages;

  static Config draw(auto&) { return {}; }
  static std::uint32_t max_logical_pages(const Config& config, PartPort& flash, std::uint32_t bad = 0) {
    return in_place::max_logical_segments(geometry_of(flash, config), bad) *
           (flash.geometry().segment_bytes / config.page_bytes);
  }
  /// What the kit counts in pages, the layer counts in segments.
  static void round_up(Config& config, const PartGeometry& geometry) {
    const std::uint32_t pages = geometry.segment_bytes / config.page_bytes;
    config.logical_segments = (config.logical_pages + pages - 1) / pages;
    config.logical_pages = config.logical_segments * pages;
  }
};

/// What the layer keeps, and what it may lose.
template <class Part>
struct InPlaceOn {
  using Firm = InPlaceFirmware;
  using Config = InPlacePages;
  using Flash = typename Part::Flash;
  using Setup = typename Part::Setup;
  using Session = MountSession<InPlaceLayer, Config>;
  static constexpr OracleRules kRules{};
  static constexpr Overlap overlap(const Flash&) { return Overlap::none; }
  /// Whether the mount moves pages that only a recovery read gives.
  static constexpr bool kMountMovesRecovered = false;
  /// There is nothing that a format could say of itself.
  static constexpr bool kStoppedFormatLeavesAnything = true;

  /// Null when the configuration works, else why not.
  static const char* check(const Setup& s) {
    Flash flash(s.part);
    return in_place::check(s.config, geometry_of(flash, s.config));
  }
  static Setup draw(Dice& dice, bool fullest) {
    Setup s = Part::draw(dice);
    Flash flash(s.part);
    const std::uint32_t most = Firm::max_logical_pages(s.config, flash, Part::bad_segments(s));
    s.config.logical_pages = draw_logical_pages(dice, most, fullest);
    Firm::round_up(s.config, flash.geometry());
    return s;
  }
  static void prepare(Flash& flash, const Setup& s, Dice& dice) { Part::prepare(flash, s, dice); }
  /// No segment stands in for another.
  static bool may_be_read_only(const Setup&, std::uint32_t failed) { return failed > 0; }
  static bool has_data_checksum(const Setup&) { return false; }
  static std::string describe(const Setup& s) {
    return "segments " + std::to_string(s.config.logical_segments) + " pages " +
           std::to_string(s.config.logical_pages) + " x " + std::to_string(s.config.page_bytes) + ", " +
           Part::describe(s);
  }

  /// Pages of the volume in so many bytes of a segment.
  static std::vector<std::uint32_t> pages_at(const Flash& flash, const InPlacePages& config, SegmentId segment,
                                             std::uint32_t offset, std::uint32_t length) {
    const std::uint32_t per_segment = flash.geometry().segment_bytes / config.page_bytes;
    std::uint32_t place = 0;
    for (std::uint32_t id = 0; id < segment.value(); ++id) place += holds_data(flash, id) ? 1 : 0;
    std::vector<std::uint32_t> pages;
    if (place >= config.logical_segments) return pages;
    for (std::uint32_t page = offset / config.page_bytes; page * config.page_bytes < offset + length; ++page)
      pages.push_back(place * per_segment + page);
    return pages;
  }

 private:
  static bool holds_data(const Flash& flash, std::uint32_t segment) {
    const PartGeometry& g = flash.geometry();
    if (segment % (g.segments / g.parallel_units) < g.slc_segments_per_unit) return false;
    if constexpr (requires { flash.is_bad(segment); }) return !flash.is_bad(segment);
    return true;
  }
};

struct InPlaceNorPart {
  using Flash = EmulatedFlash;
  struct Setup {
    EmulatedFlashOptions part;
    InPlacePages config;
  };
  static Setup draw(Dice& dice) {
    Setup s;
    s.config.page_bytes = 64U << dice.below(4);
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
    return s;
  }
  static void prepare(Flash&, const Setup&, Dice&) {}
  static std::uint32_t bad_segments(const Setup&) { return 0; }
  static std::string describe(const Setup& s) {
    const PartGeometry& g = s.part.geometry;
    return "NOR " + std::to_string(g.segments) + " x " + std::to_string(g.segment_bytes) + " queue " +
           std::to_string(s.part.capabilities.queue_depth);
  }
};

struct InPlaceNandPart {
  using Flash = EmulatedNand;
  struct Setup {
    EmulatedNandOptions part;
    DrawnNand drawn;
    InPlacePages config;
  };
  static Setup draw(Dice& dice) {
    Setup s;
    s.drawn = draw_nand(dice);
    s.part = s.drawn.part;
    s.config.page_bytes = s.part.page_bytes;
    return s;
  }
  static void prepare(Flash& flash, const Setup& s, Dice& dice) { mark_bad_segments(flash, s.drawn, dice); }
  static std::uint32_t bad_segments(const Setup& s) { return s.drawn.bad_segments; }
  static std::string describe(const Setup& s) { return tests::describe(s.drawn); }
};

// What lies in place of a page is the page.
inline constexpr Damage<EmulatedFlash> kInPlaceNorDamages[] = {
    {"a bit flipped",
     [](EmulatedFlash& f, const VolumeShape&, Dice& d) { flip_a_bit(f, some_segment(f.geometry(), d), d); },
     KnownBy::nobody},
    {"a segment full of noise",
     [](EmulatedFlash& f, const VolumeShape&, Dice& d) { fill_with_noise(f, some_segment(f.geometry(), d), d); },
     KnownBy::nobody},
};

inline constexpr Damage<EmulatedNand> kInPlaceNandDamages[] = {
    {"a page unreadable", [](EmulatedNand& f, const VolumeShape&, Dice& d) { damage_page(f, d, false); }},
    {"a segment unreadable", [](EmulatedNand& f, const VolumeShape&, Dice& d) { damage_data_segment(f, d, false); }},
    {"a page blank", [](EmulatedNand& f, const VolumeShape&, Dice& d) { damage_page(f, d, true); }, KnownBy::nobody},
};

struct InPlaceOnNor : InPlaceOn<InPlaceNorPart> {
  static constexpr const char* kName = "in-place-nor";
  static constexpr const auto& kDamages = kInPlaceNorDamages;
};

struct InPlaceOnNand : InPlaceOn<InPlaceNandPart> {
  static constexpr const char* kName = "in-place-nand";
  static constexpr const auto& kDamages = kInPlaceNandDamages;
};

}  // namespace ftlab::tests
