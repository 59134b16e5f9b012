// Segments of which LSB units alone are programmed.
#include "hw/array/context.h"

#include <algorithm>

namespace ftlab::hw::array {

bool Context::skip_to(Segment& segment, std::uint32_t page) const {
  if (!spec.fills_lsb_alone() || segment.next_page != spec.pages_at_once || page != second_lsb()) return false;
  segment.flags |= segment_flag::kLsbAlone;
  segment.next_page = static_cast<std::uint16_t>(page);
  return true;
}

void Context::leave_out(Segment& segment) const {
  if (segment.next_page % spec.pages_at_once != 0) return;
  const std::uint32_t next = segment.next_page + second_lsb() - spec.pages_at_once;
  segment.next_page = static_cast<std::uint16_t>(std::min(next, spec.pages_per_segment));
}

void Context::take_back(Segment& segment, std::uint32_t page) const {
  segment.next_page = static_cast<std::uint16_t>(page);
  if (!segment.has(segment_flag::kLsbAlone) || page != second_lsb()) return;
  segment.flags &= static_cast<std::uint8_t>(~segment_flag::kLsbAlone);
  segment.next_page = static_cast<std::uint16_t>(spec.pages_at_once);
}

}  // namespace ftlab::hw::array
