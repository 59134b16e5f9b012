#include "firmware/volume/requests/trims.h"

#include <algorithm>

#include "firmware/volume/format/trim_record.h"

namespace ftlab::volume {

void Trims::layout(Arena& arena) {
  const FlashGeometry& geometry = bench_.array.geometry();
  records_ = trim_records(host_pages_, geometry);
  if (records_ == 0) return;
  covered_ = TrimRecord::covered(geometry.page_bytes);
  trimmed_ = arena.take<std::uint64_t>((std::size_t{host_pages_} + 63) / 64);
}

void Trims::clear() { std::ranges::fill(trimmed_, 0); }

Trims::Group Trims::group_of(std::uint32_t lpn) const {
  const std::uint32_t first = lpn / covered_ * covered_;
  return {first, std::min(covered_, host_pages_ - first)};
}

bool Trims::has_written_again(std::uint32_t lpn) const {
  const Group group = group_of(lpn);
  for (std::uint32_t i = 0; i < group.count; ++i)
    if (is_set(group.first + i) && bench_.log.ppn_of(group.first + i) != kUnmapped) return true;
  return false;
}

void Trims::make_record(std::uint32_t lpn) {
  const Group group = group_of(lpn);
  TrimRecord record(bench_.page_buffer);
  record.clear();
  for (std::uint32_t i = 0; i < group.count; ++i) {
    if (!is_set(group.first + i)) continue;
    if (bench_.log.ppn_of(group.first + i) == kUnmapped)
      record.name(i);
    else
      set(group.first + i, false);  // written again
  }
  record.seal(bench_.log.sequence());
}

void Trims::apply(std::uint32_t record, std::span<const FoundSequence> newest) {
  const TrimRecord read(bench_.page_buffer);
  if (!read.intact()) return;
  const Group group = group_of(record * covered_);
  for (std::uint32_t i = 0; i < group.count; ++i) {
    const std::uint32_t lpn = group.first + i;
    if (!read.names(i)) continue;
    set(lpn, true);
    if (bench_.log.ppn_of(lpn) != kUnmapped && newest[lpn].value <= read.until()) bench_.log.trim(lpn);
  }
}

}  // namespace ftlab::volume
