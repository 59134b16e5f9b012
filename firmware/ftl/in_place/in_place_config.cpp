#include "firmware/ftl/in_place/in_place_config.h"

#include <algorithm>

namespace ftlab::in_place {

std::uint32_t max_logical_segments(const FlashGeometry& geometry, std::uint32_t bad) {
  const std::uint32_t usable = geometry.usable_per_die() * geometry.dies;
  return usable > bad ? usable - bad : 0;
}

InPlaceConfig choose(std::uint32_t page_bytes, std::uint64_t utilization_ppb, const FlashGeometry& geometry,
                     std::uint32_t bad) {
  constexpr std::uint64_t kWhole = 1'000'000'000;
  constexpr std::uint32_t kUsualPage = 4096;
  InPlaceConfig config;
  config.page_bytes = page_bytes != 0 ? page_bytes : std::max(geometry.page_bytes * geometry.pages_at_once, kUsualPage);
  config.logical_segments =
      static_cast<std::uint32_t>((max_logical_segments(geometry, bad) * utilization_ppb + kWhole / 2) / kWhole);
  return config;
}

const char* check(const InPlaceConfig& config, const FlashGeometry& geometry) {
  const std::uint64_t segment_bytes = std::uint64_t{geometry.pages_per_segment} * geometry.page_bytes;
  if (config.page_bytes == 0 || segment_bytes % config.page_bytes != 0)
    return "the page does not divide the segment; use a smaller ftl.page_bytes";
  if (config.page_bytes % (geometry.page_bytes * geometry.pages_at_once) != 0)
    return "the page is smaller than what the part programs at once; use a larger ftl.page_bytes";
  if (config.logical_segments == 0) return "no segment is left for data; raise ftl.utilization";
  if (config.logical_segments > max_logical_segments(geometry))
    return "there are fewer segments than the data needs; lower ftl.utilization";
  return nullptr;
}

}  // namespace ftlab::in_place
