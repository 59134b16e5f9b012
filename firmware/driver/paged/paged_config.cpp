#include "firmware/driver/paged/paged_config.h"

#include <algorithm>
#include <bit>

#include "firmware/driver/paged/page_tag.h"
#include "firmware/driver/paged/resume_notes.h"
#include "firmware/driver/paged/segment_groups.h"
#include "firmware/driver/paged/unit_tag.h"

namespace ftlab::paged {
namespace {

constexpr std::uint32_t kMaxSegmentUnits = 64;

std::uint32_t page_bytes_of(const PartPort& port, const PagedFlashConfig& config) {
  const PartGeometry& part = port.geometry();
  return config.page_bytes == 0 && part.spare_bytes != 0 ? part.program_unit_bytes : config.page_bytes;
}

/// Several erase units in a segment.
const char* check_groups(const PartPort& port, const PagedFlashConfig& config) {
  const PartGeometry& part = port.geometry();
  const std::uint32_t units = config.segment_units;
  if (units == 1) return nullptr;
  if (units == 0 || units > kMaxSegmentUnits) return "segment_units must be at least 1 and at most 64";
  if (part.spare_bytes != 0)
    return "segment_units above 1 is for NOR parts: on NAND a bad erase unit would take its neighbours out of use, and "
           "ftl.clean_at_once cleans several segments together";
  if (part.segments / part.parallel_units % units != 0)
    return "segment_units must divide the erase units of each device of the part";
  if (config.page_bytes != 0 && part.segment_bytes % config.page_bytes != 0)
    return "page_bytes must divide each unit that is erased where segments have several";
  if (port.capabilities().background_erase)
    return "segment_units above 1 needs erase = \"wait\": the next unit of a segment is begun when somebody asks for "
           "the one before";
  // What an interrupted erase of the first unit leaves is told from pages by their entries, of which it has all.
  const PageLayout layout = layout_of(port, config);
  const std::uint32_t pages = layout.pages_per_segment();
  if (pages > 0 && !layout.bare() && layout.entry_at(pages) > part.segment_bytes / 2)
    return "segment_units makes segments whose page entries do not fit half of their first erase unit: use fewer, or "
           "larger pages";
  return nullptr;
}

/// NAND.
const char* check_units(const PartGeometry& part, std::uint32_t page_bytes) {
  if (page_bytes == part.program_unit_bytes) return nullptr;
  if (page_bytes == 0 || part.program_unit_bytes % page_bytes != 0)
    return "pages of this size do not divide a page of the part";
  const std::uint32_t at_once = part.program_unit_bytes / page_bytes;
  if (!std::has_single_bit(at_once) || at_once > kMaxPagesOfUnit)
    return "a page of the part holds 1, 2, 4 or 8 pages of the volume";
  if (part.spare_bytes < unit_tag_bytes(at_once))
    return "a page of the part has too few spare bytes for pages this small, 12 for each and 8 more";
  // Numbers of pages have 24 bits there.
  if (std::uint64_t{part.segments} * (part.segment_bytes / page_bytes) >= 1U << 24)
    return "more than 2^24 - 1 pages where several share a page of the part: use larger ones";
  return nullptr;
}

decltype(FlashGeometry::lsb_units) lsb_units_of(const PartGeometry& part) {
  decltype(FlashGeometry::lsb_units) units{};
  for (std::uint32_t page = 0; page < part.paired_page.size(); ++page)
    if (part.paired_page[page] > page) units[page / 64] |= std::uint64_t{1} << page % 64;
  return units;
}

}  // namespace

PartGeometry segments_of(const PartPort& port, const PagedFlashConfig& config) {
  return grouped(port.geometry(), config.segment_units);
}

const char* check(const PartPort& port, const PagedFlashConfig& config) {
  if (const char* reason = check_groups(port, config)) return reason;
  const PartGeometry part = segments_of(port, config);
  const std::uint32_t page_bytes = page_bytes_of(port, config);
  if (part.spare_bytes != 0) {
    if (config.data_checksum) return "data_checksum is for NOR parts: the pages of NAND parts have ECC; leave it off";
    if (part.spare_bytes < sizeof(PageTag)) return "fewer than 24 spare bytes beside a page";
    if (const char* reason = check_units(part, page_bytes)) return reason;
  } else if (!port.capabilities().in_place_clear) {
    return "neither spare bytes nor bits that can be cleared in place";
  } else if (config.bare) {
    if (config.data_checksum) return "data_checksum is kept beside a page, where bare pages have nothing; leave it off";
    if (page_bytes != 0 && part.segment_bytes % page_bytes != 0) return "bare pages of this size do not fill a segment";
  }
  if (page_bytes == 0 ||
      (part.spare_bytes == 0 && page_bytes % std::max<std::uint32_t>(part.program_unit_bytes, 1) != 0) ||
      layout_of(port, config).pages_per_segment() == 0)
    return "pages of this size do not suit the part's segments";
  return nullptr;
}

PageLayout layout_of(const PartPort& port, const PagedFlashConfig& config) {
  return {segments_of(port, config), page_bytes_of(port, config), {config.data_checksum, config.bare}};
}

FlashGeometry geometry_of(const PartPort& port, const PageLayout& layout, const PagedFlashConfig& config) {
  const PartGeometry part = segments_of(port, config);
  // Where nothing overlaps, logs side by side would only cost the reserve of each.
  const bool overlaps = layout.spare() || port.capabilities().background_erase;
  const std::uint32_t dies = overlaps && !config.one_die ? part.parallel_units : 1;
  const std::uint32_t fixed = dies == 1 && !layout.spare() ? config.fixed_segments : 0;
  // Segments of LSB pages alone carry notes; more of them where there are too few.
  const std::uint32_t for_notes = layout.spare() && config.resumes ? (dies > 1 ? 1 : ResumeNotes::kSegments) : 0;
  return {.segments = part.segments,
          .pages_per_segment = layout.pages_per_segment(),
          .page_bytes = layout.page_bytes(),
          .pages_at_once = layout.pages_at_once(),
          .dies = dies,
          .rated_erase_cycles = part.rated_erase_cycles,
          .buffers = config.buffers,
          .refresh_bits = layout.spare() ? config.refresh.bits : 0U,
          .refresh_reads = layout.spare() ? config.refresh.reads : 0,
          .keeps_metadata = layout.spare() || (config.keeps_content && !layout.bare()),
          .any_order = layout.bare(),
          .unused_per_die = std::max({part.slc_segments_per_unit, for_notes, fixed}),
          .unused_every = config.one_die ? part.segments / part.parallel_units : 0,
          .lsb_units = config.slc && layout.spare() ? lsb_units_of(part) : decltype(FlashGeometry::lsb_units){},
          .keeps_erased = !layout.spare() || config.erase_ahead};
}

}  // namespace ftlab::paged
