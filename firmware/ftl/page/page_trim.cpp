// Trims of the page-mapped layer: noted in the map at once, and in records that a mount reads.
#include <algorithm>

#include "firmware/ftl/page/page_ftl.h"
#include "firmware/ftl/page/trim_record.h"

namespace ftlab {

using page::Log;
using page::TrimRecord;

void PageFtl::trim_pages(std::uint16_t slot, const HostRequest& request) {
  const std::uint32_t page = page_bytes();
  const auto end = static_cast<std::uint32_t>((request.offset + request.length) / page);
  auto lpn = static_cast<std::uint32_t>((request.offset + page - 1) / page);
  if (lpn >= end) return;
  log_.stats().pages_trimmed += end - lpn;
  if (records_ == 0) {
    for (; lpn < end; ++lpn) log_.trim(lpn);
    return;
  }
  const std::uint32_t covered = TrimRecord::covered(page);
  while (lpn < end) {
    const std::uint32_t left = covered - lpn % covered;
    const std::uint32_t until = end - lpn < left ? end : lpn + left;
    trim_recorded(slot, lpn, until);
    lpn = until;
  }
}

void PageFtl::trim_recorded(std::uint16_t slot, std::uint32_t first, std::uint32_t end) {
  bool changed = false;
  for (std::uint32_t lpn = first; lpn < end; ++lpn) {
    // What was never written has no version that could come back.
    if (log_.ppn_of(lpn) != page::kUnmapped) set_trimmed(lpn, true);
    changed = changed || is_trimmed(lpn);
  }
  if (!changed) return;
  const std::uint32_t group = first / TrimRecord::covered(page_bytes());
  if (has_written_again(group)) wait_for_all();
  const CauseScope cause(probe_, Cause::metadata);
  const std::uint16_t tag = take_page();
  ++requests_[slot].pages;
  pages_[tag] = {config_.logical_pages + group, page::kUnmapped, 0, 0, 0, slot, 0, nullptr};
  if (!place_page(tag)) return page_ended(tag, FtlStatus::no_space);
  pages_[tag].epoch = log_.begin_write();
  // Its program is queued and not handed over: what cleaning has copied meanwhile is older. The pages go only now, as
  // their segments may be erased then, and versions older still must not come back.
  for (std::uint32_t lpn = first; lpn < end; ++lpn) log_.trim(lpn);
  make_record(group);
  array_.write_buffer(tag, page_buffer_);
}

bool PageFtl::has_written_again(std::uint32_t group) const {
  const std::uint32_t covered = TrimRecord::covered(page_bytes());
  const std::uint32_t first = group * covered;
  const std::uint32_t end = first + std::min(covered, config_.logical_pages - first);
  for (std::uint32_t lpn = first; lpn < end; ++lpn)
    if (is_trimmed(lpn) && log_.ppn_of(lpn) != page::kUnmapped) return true;
  return false;
}

void PageFtl::make_record(std::uint32_t group) {
  const std::uint32_t covered = TrimRecord::covered(page_bytes());
  const std::uint32_t first = group * covered;
  const std::uint32_t count = std::min(covered, config_.logical_pages - first);
  TrimRecord record(page_buffer_);
  record.clear();
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!is_trimmed(first + i)) continue;
    if (log_.ppn_of(first + i) == page::kUnmapped)
      record.name(i);
    else
      set_trimmed(first + i, false);  // written again
  }
  record.seal(log_.sequence());
}

void PageFtl::apply_records() {
  const std::uint32_t covered = TrimRecord::covered(page_bytes());
  if (newer_than_ == 0) std::ranges::fill(trimmed_, 0);
  for (std::uint32_t group = 0; group < records_; ++group) {
    const TrimRecord record(page_buffer_);
    const bool known = read_own(config_.logical_pages + group) && record.intact();
    const std::uint32_t first = group * covered;
    const std::uint32_t count = std::min(covered, config_.logical_pages - first);
    std::uint32_t asked = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      const bool in_checkpoint = newer_than_ > 0 && !is_trimmed(first + i);
      set_trimmed(first + i, known && record.names(i));
      const std::uint32_t ppn = log_.ppn_of(first + i);
      if (!is_trimmed(first + i) || !page::has_place(ppn)) continue;
      if (in_checkpoint) {
        if (record.until() > newer_than_) log_.trim(first + i);
        continue;
      }
      log_.queue({ArrayOpKind::read, true, Log::kTag, ppn});
      if (++asked == kCollected) asked = trim_older(asked, record.until());
    }
    if (asked > 0) trim_older(asked, record.until());
  }
}

std::uint32_t PageFtl::trim_older(std::uint32_t asked, std::uint64_t until) {
  for (const ArrayDone& done : run_all(asked))
    if (done.metadata.high <= until) log_.trim(page::lpn_of(done.metadata));
  return 0;
}

bool PageFtl::read_own(std::uint32_t lpn) {
  if (!page::has_place(log_.ppn_of(lpn))) return false;
  const std::uint16_t slot = free_requests_.take();
  requests_[slot] = {0, 0, true, true, FtlStatus::ok};
  read_page(slot, lpn, 0, page_buffer_.data(), page_bytes());
  while (requests_[slot].pages > 0) make_progress();
  free_requests_.put(slot);
  return requests_[slot].status == FtlStatus::ok;
}

}  // namespace ftlab
