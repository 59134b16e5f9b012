#include "hw/array/array/segment_table.h"

namespace ftlab::hw::array {

SegmentTable::SegmentTable(const ArraySpec& spec)
    : pages_per_segment_(spec.pages_per_segment),
      pages_(spec.pages()),
      reciprocal_(UINT64_MAX / spec.pages_per_segment + 1),
      segments_(spec.segments) {
  for (std::uint32_t i = 0; i < size(); ++i) {
    Segment& segment = segments_[i];
    segment.die = static_cast<std::uint16_t>(i / spec.segments_per_die());
    segment.plane = static_cast<std::uint8_t>(i % spec.planes);
    segment.program_scale = Segment::kUnscaled;
  }
}

}  // namespace ftlab::hw::array
