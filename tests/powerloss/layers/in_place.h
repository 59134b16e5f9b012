// Update in place on NOR and NAND parts, for the kit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/fixtures/in_place_layer.h"
#include "tests/powerloss/layers/on_part.h"

namespace ftlab::tests {

/// Counted in pages, as the kit counts volumes.
struct InPlacePages : InPlaceConfig {
  std::uint32_t logical_pages = 0;
  bool data_checksum = false;  ///< the layer has none
};

struct InPlaceFirmware {
  using Layer = InPlaceLayer;
  using Config = InPlacePages;

  static Config draw(auto&) { return {}; }
  static const char* check(const Config& config, const PartGeometry& geometry, const PartCapabilities&) {
    return in_place::check(config, in_place_geometry(geometry, config));
  }
  static std::uint32_t max_logical_pages(const Config& config, const PartGeometry& geometry, std::uint32_t bad = 0) {
    return in_place::max_logical_segments(in_place_geometry(geometry, config), bad) *
           (geometry.segment_bytes / config.page_bytes);
  }
  /// What the kit counts in pages, the layer counts in segments.
  static void round_up(Config& config, const PartGeometry& geometry) {
    const std::uint32_t pages = geometry.segment_bytes / config.page_bytes;
    config.logical_segments = (config.logical_pages + pages - 1) / pages;
    config.logical_pages = config.logical_segments * pages;
  }
  static std::string describe(const Config& c) {
    return "segments " + std::to_string(c.logical_segments) + " pages " + std::to_string(c.logical_pages) + " x " +
           std::to_string(c.page_bytes);
  }
};

/// What the layer keeps, and what it may lose.
template <class Part>
struct InPlaceOn : Part {
  using Flash = typename Part::Flash;
  using Setup = typename Part::Setup;
  static constexpr OracleRules kRules{};
  /// There is nothing that a format could say of itself.
  static constexpr bool kStoppedFormatLeavesAnything = true;

  static Setup draw(Dice& dice, bool fullest) {
    Setup s = Part::draw(dice, fullest);
    InPlaceFirmware::round_up(s.config, Flash(s.part).geometry());
    return s;
  }
  /// No segment stands in for another.
  static bool may_be_read_only(const Setup&, std::uint32_t failed) { return failed > 0; }

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

struct InPlaceOnNor : InPlaceOn<OnNor<InPlaceFirmware>> {
  static constexpr const char* kName = "in-place-nor";
  static constexpr const auto& kDamages = kInPlaceNorDamages;
};

struct InPlaceOnNand : InPlaceOn<OnNand<InPlaceFirmware>> {
  static constexpr const char* kName = "in-place-nand";
  static constexpr const auto& kDamages = kInPlaceNandDamages;
};

}  // namespace ftlab::tests
