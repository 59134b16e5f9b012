#include "firmware/ftl/page/trims.h"

#include <algorithm>
#include <array>

#include "firmware/ftl/page/trim_record.h"

namespace ftlab::page {

void Trims::layout(Arena& arena) {
  const ArrayGeometry& geometry = bench_.array.geometry();
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

void Trims::apply(std::uint64_t checkpoint) {
  if (checkpoint == 0) clear();
  for (std::uint32_t index = 0; index < records_; ++index) {
    const Group group = group_of(index * covered_);
    const TrimRecord record(bench_.page_buffer);
    const bool known = bench_.hands.read_page_in(host_pages_ + index) && record.intact();
    std::uint32_t asked = 0;
    for (std::uint32_t i = 0; i < group.count; ++i) {
      const std::uint32_t lpn = group.first + i;
      const bool in_checkpoint = checkpoint > 0 && !is_set(lpn);
      set(lpn, known && record.names(i));
      const std::uint32_t ppn = bench_.log.ppn_of(lpn);
      if (!is_set(lpn) || ppn == kUnmapped) continue;
      if (in_checkpoint) {
        if (record.until() > checkpoint) bench_.log.trim(lpn);
        continue;
      }
      bench_.log.queue({ArrayOpKind::read, true, Log::kTag, ppn});
      if (++asked < Workbench::kCollected) continue;
      trim_older(asked, record.until());
      asked = 0;
    }
    trim_older(asked, record.until());
  }
}

void Trims::trim_older(std::uint32_t asked, std::uint64_t until) {
  std::array<std::uint32_t, Workbench::kCollected> gone;
  std::uint32_t gone_count = 0;
  for (const ArrayDone& done : bench_.run_all(asked)) {
    if (!is_known(done.metadata))
      gone[gone_count++] = done.page;
    else if (sequence_of(done.metadata) <= until)
      bench_.log.trim(bench_.log.lpn_at(done.page));
  }
  for (const std::uint32_t ppn : std::span(gone).first(gone_count)) {
    const std::uint32_t lpn = bench_.log.lpn_at(ppn);
    // What was read before and cannot be read again is what an interrupted erase has left, unless the page behind it
    // says that it was newer.
    if (bench_.sequence_at(ppn, lpn) <= until) bench_.log.trim(lpn);
  }
}

}  // namespace ftlab::page
