#include "firmware/ftl/pagemap/pagemap_config.h"

#include <algorithm>

namespace ftlab::pagemap {
namespace {

constexpr std::uint32_t kOwner = 0x50414D50;  // "PMAP"

}  // namespace

std::uint32_t host_streams(const FlashGeometry& geometry) {
  return is_nand(geometry) ? std::min(geometry.parallel_units, kMaxHostStreams) : 1;
}

VolumeConfig volume_config(const PageMapConfig& config, const FlashGeometry& geometry) {
  const std::uint32_t streams = kFirstHost + host_streams(geometry);
  VolumeConfig volume;
  volume.page_bytes = config.page_bytes;
  volume.logical_pages = config.logical_pages;
  volume.reserve_segments = config.low_water + streams - 1;
  for (std::uint32_t stream = 0; stream < streams; ++stream)
    volume.opens_at_format[stream] = volume.writes_to[stream] = true;
  // So that a page of the host can go to each of these units at the same time; copies go to the segment free the
  // longest.
  for (std::uint32_t stream = kFirstHost; is_nand(geometry) && stream < streams; ++stream)
    volume.unit_of_stream[stream] = stream - kFirstHost;
  volume.data_checksum = config.data_checksum;
  volume.owner = kOwner;
  volume.layout = slots_in(geometry, config.page_bytes).slots_per_unit;
  volume.shares_units = true;
  volume.page_history = false;
  return volume;
}

std::uint32_t max_logical_pages(const PageMapConfig& config, const FlashGeometry& geometry, std::uint32_t bad) {
  return ftlab::max_logical_pages(volume_config(config, geometry), geometry, bad);
}

const char* check(const PageMapConfig& config, const FlashGeometry& geometry, const FlashCapabilities& capabilities) {
  if (const char* reason = check_part(volume_config(config, geometry), geometry, capabilities)) return reason;
  const std::uint32_t streams = kFirstHost + host_streams(geometry);
  if (config.low_water < streams)
    return "low_water must be at least the number of open segments: one for copies, and one for the host on each of up "
           "to two "
           "parallel units";
  if (data_segments(slots_in(geometry, volume_config(config, geometry))) < config.low_water + streams + 1)
    return "too few segments for this water mark and active segments";
  if (config.logical_pages == 0) return "no logical pages: the utilisation is too low";
  if (config.logical_pages > max_logical_pages(config, geometry))
    return "utilisation is above what cleaning needs: lower it, or the water mark";
  return nullptr;
}

}  // namespace ftlab::pagemap
