// Layout arithmetic and the reasons for which a combination is refused.
#include "firmware/ftl/fms/fms_config.h"

#include <algorithm>

#include "firmware/policy/policies.h"
#include "firmware/volume/nand/checkpoint.h"
#include "firmware/volume/nor/media_format.h"

namespace ftlab::fms {
namespace {

constexpr std::uint32_t kCheckpointSegments = 2;

std::uint32_t streams_of(const FmsConfig& config) {
  const Redistribution* r = find_named(redistributions(), config.redistribution);
  return (r != nullptr ? r->streams : 1) +
         (config.read_only_placement == FmsConfig::ReadOnlyPlacement::apart ? 1U : 0U);
}

const char* check_nand(const FmsConfig& config, const FlashGeometry& geometry) {
  if (const char* reason = nand::PageStore::check(geometry)) return reason;
  if (config.page_bytes != geometry.program_unit_bytes) return "on NAND page_bytes must be the part's page size";
  if (geometry.segments < 4) return "too few segments";
  if (config.data_checksum) return "data_checksum is for NOR parts: the pages of NAND parts have ECC; leave it off";
  return nand::Checkpoints::check(geometry, config.logical_pages);
}

const char* check_medium(const FmsConfig& config, const FlashGeometry& geometry, const FlashCapabilities& can) {
  if (is_nand(geometry)) return check_nand(config, geometry);
  if (!can.in_place_clear)
    return "without spare bytes the FMS clears flags in place: it needs a NOR part (in_place_clear)";
  if (geometry.program_unit_bytes > 2) return "the FMS clears 2-byte flags: program_unit_bytes must be 1 or 2";
  if (config.page_bytes == 0 || geometry.segment_bytes % config.page_bytes != 0)
    return "page_bytes must divide the segment size";
  if (config.page_bytes % 16 != 0) return "page_bytes must be a multiple of 16";
  const std::uint32_t slots = usable_slots(geometry, config.page_bytes, config.data_checksum);
  if (slots == 0) return "page_bytes leaves no room for data beside the segment header; use smaller pages";
  if (slots > 0xFFFE) return "page_bytes is too small: more than 65534 pages per segment";
  if (log_offset(geometry.segments) + 64 * sizeof(LogEntry) > geometry.segment_bytes)
    return "segments are too small for the summary and its log in the fixed segment";
  return nullptr;
}

const char* check_policies(const FmsConfig& config, const FlashGeometry& geometry, const FlashCapabilities& can) {
  if (find_named(selections(), config.selection) == nullptr)
    return "unknown selection; `ftlab policies` lists the names";
  if (find_named(redistributions(), config.redistribution) == nullptr)
    return "unknown redistribution; `ftlab policies` lists the names";
  if (find_named(wear_levelers(), config.wear_leveling) == nullptr)
    return "unknown wear_leveling; `ftlab policies` lists the names";
  if (config.wear_leveling == "swap") {
    if (config.swap_from == 0 && geometry.rated_erase_cycles == 0)
      return "wear_leveling = \"swap\" needs swap_from, because the part gives no rated erase cycles";
    if (config.swap_gap == 0) return "swap_gap must be at least 1";
  }
  if (config.erase_mode == FmsConfig::EraseMode::overlap && (!can.background_erase || can.queue_depth < 2))
    return "erase_mode = overlap needs a driver with background erase and a queue of at least 2";
  return nullptr;
}

const char* check_space(const FmsConfig& config, const FlashGeometry& geometry) {
  const std::uint32_t streams = streams_of(config);
  if (config.low_water < streams)
    return "low_water must be at least the number of active segments: 1, 2 with a cold one, one more with "
           "read-only data apart";
  if (config.high_water == 0) return "high_water must be at least 1";
  if (data_segments(geometry) < std::max(config.low_water, config.high_water) + streams + 1)
    return "too few segments for these water marks and active segments";
  if (config.logical_pages == 0) return "no logical pages: the utilisation is too low";
  if (config.logical_pages > max_logical_pages(config, geometry))
    return "utilisation is above what cleaning needs: lower it, or the water marks";
  return nullptr;
}

}  // namespace

std::uint32_t usable_slots(const FlashGeometry& geometry, std::uint32_t page_bytes, bool data_checksum) {
  if (page_bytes == 0) return 0;
  const std::uint32_t pages = geometry.segment_bytes / page_bytes;
  if (is_nand(geometry)) return page_bytes == geometry.program_unit_bytes && pages > 0 ? pages - 1 : 0;
  for (std::uint32_t header = 1; header < pages; ++header) {
    const std::uint64_t room = std::uint64_t{header} * page_bytes;
    if (room < kEntriesOffset) continue;
    if ((room - kEntriesOffset) / entry_bytes(data_checksum) >= pages - header) return pages - header;
  }
  return 0;
}

std::uint32_t data_segments(const FlashGeometry& geometry) {
  const std::uint32_t slc = geometry.slc_segments_per_unit;
  const std::uint32_t fixed =
      is_nand(geometry) ? slc * (geometry.parallel_units - 1) + std::max<std::uint32_t>(slc, kCheckpointSegments) : 1;
  return geometry.segments > fixed ? geometry.segments - fixed : 0;
}

std::uint32_t max_logical_pages(const FmsConfig& config, const FlashGeometry& geometry) {
  const std::uint32_t aside = std::max(config.low_water, config.high_water) + streams_of(config) - 1;
  if (data_segments(geometry) <= aside) return 0;
  return (data_segments(geometry) - aside) * usable_slots(geometry, config.page_bytes, config.data_checksum) - 1;
}

bool uses_stream(const FmsConfig& config, std::uint32_t stream) {
  if (stream == kReadOnly) return config.read_only_placement == FmsConfig::ReadOnlyPlacement::apart;
  const Redistribution* r = find_named(redistributions(), config.redistribution);
  return r != nullptr && stream < r->streams;
}

const char* check(const FmsConfig& config, const FlashGeometry& geometry, const FlashCapabilities& capabilities) {
  if (const char* reason = check_medium(config, geometry, capabilities)) return reason;
  if (const char* reason = check_policies(config, geometry, capabilities)) return reason;
  return check_space(config, geometry);
}

}  // namespace ftlab::fms
