// The page-mapped layer on NOR and NAND parts, for the kit.
#pragma once

#include <string>

#include "firmware/ftl/pagemap/pagemap.h"
#include "tests/powerloss/layers/on_part.h"

namespace ftlab::tests {

struct PageMapFirmware {
  using Layer = PageMap;
  using Config = PageMapConfig;
  static constexpr bool kOverlaps = true;

  template <class Choices>
  static Config draw(Choices& choices) {
    Config config;
    config.low_water = choices.between(1, choices.chance(200) ? 16 : 4);
    return config;
  }
  static std::uint32_t segment_units(const Config&) { return 1; }
  static const char* check(const Config& config, const FlashGeometry& geometry, const FlashCapabilities& can) {
    return pagemap::check(config, geometry, can);
  }
  static std::uint32_t max_logical_pages(const Config& config, const FlashGeometry& geometry, std::uint32_t bad = 0) {
    return pagemap::max_logical_pages(config, geometry, bad);
  }
  static std::string describe(const Config& c) {
    return "pages " + std::to_string(c.logical_pages) + " x " + std::to_string(c.page_bytes) + " water " +
           std::to_string(c.low_water) + (c.data_checksum ? " checksum" : "");
  }
};

struct PageMapOnNor : OnNor<PageMapFirmware> {
  static constexpr const char* kName = "pagemap-nor";
};

struct PageMapOnNand : OnNand<PageMapFirmware> {
  static constexpr const char* kName = "pagemap-nand";
};

struct PageMapOnLargeNand : OnNand<PageMapFirmware, draw_large_nand> {
  static constexpr const char* kName = "pagemap-large-nand";
  /// For fuzzing: pages for two of the volume, and segments enough for checkpoints with the page table.
  static EmulatedNandOptions tiny_part() {
    EmulatedNandOptions part;
    part.segments = 48;
    part.pages = 8;
    part.page_bytes = 256;
    part.spare_bytes = 64;
    return part;
  }
};

}  // namespace ftlab::tests
