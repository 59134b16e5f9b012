// Layout arithmetic of both formats.
#include "firmware/volume/volume_config.h"

#include <algorithm>

#include "firmware/volume/nand/checkpoint.h"
#include "firmware/volume/nor/media_format.h"

namespace ftlab {
namespace {

const char* check_nand(const VolumeConfig& config, const FlashGeometry& geometry) {
  if (config.page_bytes != geometry.program_unit_bytes) return "on NAND page_bytes must be the part's page size";
  if (const char* reason = nand::PageIo::check(geometry)) return reason;
  if (geometry.segments < 4) return "too few segments";
  if (config.data_checksum) return "data_checksum is for NOR parts: the pages of NAND parts have ECC; leave it off";
  return nand::Checkpoints::check(geometry, config.logical_pages);
}

const char* check_nor(const VolumeConfig& config, const FlashGeometry& geometry, const FlashCapabilities& can) {
  if (!can.in_place_clear)
    return "without spare bytes the FMS clears flags in place: it needs a NOR part (in_place_clear)";
  if (geometry.program_unit_bytes > 2) return "the FMS clears 2-byte flags: program_unit_bytes must be 1 or 2";
  if (config.page_bytes == 0 || geometry.segment_bytes % config.page_bytes != 0)
    return "page_bytes must divide the segment size";
  if (config.page_bytes % 16 != 0) return "page_bytes must be a multiple of 16";
  const std::uint32_t slots = usable_slots(geometry, config.page_bytes, config.data_checksum);
  if (slots == 0) return "page_bytes leaves no room for data beside the segment header; use smaller pages";
  if (slots > 0xFFFE) return "page_bytes is too small: more than 65534 pages per segment";
  if (nor::log_offset(geometry.segments) + 64 * sizeof(nor::LogEntry) > geometry.segment_bytes)
    return "segments are too small for the superblock and its log in the fixed segment";
  return nullptr;
}

}  // namespace

const char* check_part(const VolumeConfig& config, const FlashGeometry& geometry,
                       const FlashCapabilities& capabilities) {
  return is_nand(geometry) ? check_nand(config, geometry) : check_nor(config, geometry, capabilities);
}

std::uint32_t usable_slots(const FlashGeometry& geometry, std::uint32_t page_bytes, bool data_checksum) {
  if (page_bytes == 0) return 0;
  if (is_nand(geometry)) return nand::PageIo::slots_of(geometry);
  const std::uint32_t pages = geometry.segment_bytes / page_bytes;
  for (std::uint32_t header = 1; header < pages; ++header) {
    const std::uint64_t room = std::uint64_t{header} * page_bytes;
    if (room < nor::kEntriesOffset) continue;
    if ((room - nor::kEntriesOffset) / nor::entry_bytes(data_checksum) >= pages - header) return pages - header;
  }
  return 0;
}

std::uint32_t data_segments(const FlashGeometry& geometry) {
  const std::uint32_t slc = geometry.slc_segments_per_unit;
  const std::uint32_t fixed =
      is_nand(geometry) ? slc * (geometry.parallel_units - 1) + std::max(slc, nand::Checkpoints::kSegments) : 1;
  return geometry.segments > fixed ? geometry.segments - fixed : 0;
}

std::uint32_t max_logical_pages(const VolumeConfig& config, const FlashGeometry& geometry, std::uint32_t bad) {
  const std::uint32_t data = data_segments(geometry);
  const std::uint32_t slots = usable_slots(geometry, config.page_bytes, config.data_checksum);
  if (data <= config.reserve_segments + bad || slots == 0) return 0;
  return (data - config.reserve_segments - bad) * slots - 1;
}

}  // namespace ftlab
