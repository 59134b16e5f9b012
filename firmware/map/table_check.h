// What the segment table and the page table must agree on, whatever firmware keeps them. The flash is not touched.
#pragma once

#include <cstdint>

#include "firmware/map/page_table.h"
#include "firmware/map/segment_table.h"

namespace ftlab {

/// The valid slots of a segment: counted right, below the used ones, each the page that the page table has there. What
/// is wrong, or null.
[[nodiscard]] const char* check_valid_slots(const SegmentTable& segments, const PageTable& pages,
                                            std::uint32_t segment);

/// The free list holds every free segment once and nothing else. What is wrong, or null.
[[nodiscard]] const char* check_free_list(const SegmentTable& segments);

/// Every mapped page was written, has a valid slot, and is counted. What is wrong, or null.
[[nodiscard]] const char* check_mapped_pages(const SegmentTable& segments, const PageTable& pages);

}  // namespace ftlab
