// Mount from a checkpoint: the first page of each segment tells whether it was erased since, so that only what was
// written since is read. Any checkpoint that is whole will do; without one every page is read.
#include <algorithm>
#include <cstring>

#include "firmware/ftl/page/page_ftl.h"

namespace ftlab {

using page::CheckpointHead;
using page::CheckpointLayout;
using page::CheckpointRow;
using page::Log;

namespace {

/// Metadata of pages before those written since are read, too: a power loss may have spoiled one of them by way of a
/// page that shares its cells.
constexpr std::uint32_t kPairReach = 8;

}  // namespace

bool PageFtl::mount_from_checkpoint() {
  if (config_.checkpoint_every == 0) return false;
  look_at_segments();
  for (std::uint64_t before = UINT64_MAX;;) {
    const std::uint64_t sequence = newest_checkpoint(before);
    if (sequence == 0) return false;
    if (load_checkpoint(sequence)) return true;
    before = sequence;
    clear();
    find_bad_segments();
  }
}

void PageFtl::look_at_segments() {
  const ArrayGeometry& geometry = array_.geometry();
  for (std::uint32_t first = 0; first < geometry.segments; first += kCollected) {
    const std::uint32_t end = std::min<std::uint32_t>(geometry.segments, first + kCollected);
    std::uint32_t asked = 0;
    for (std::uint32_t segment = first; segment < end; ++segment) {
      first_pages_[segment] = {};
      if (log_.info(segment).state != SegmentState::free) continue;
      probe_.count(Work::header_scan, 1);
      log_.queue(
          {ArrayOpKind::read, true, static_cast<std::uint16_t>(segment - first), segment * geometry.pages_per_segment});
      ++asked;
    }
    for (const ArrayDone& done : run_all(asked)) first_pages_[first + done.tag] = first_page(done);
    for (std::uint32_t segment = first; segment < end; ++segment)
      if (first_pages_[segment].torn) look_further(segment);
  }
}

PageFtl::FirstPage PageFtl::first_page(const ArrayDone& done) const {
  const bool known = done.metadata.high != ~0ULL;
  const bool readable = done.status == ArrayStatus::ok || done.status == ArrayStatus::corrected;
  FirstPage found{known ? done.metadata.high : 0, FirstPage::kNoPlace, !known && !readable};
  if (known && page::lpn_of(done.metadata) == page::kCheckpointLpn)
    found.place = static_cast<std::uint32_t>(done.metadata.low >> 40);
  return found;
}

void PageFtl::look_further(std::uint32_t segment) {
  const std::uint32_t pages = array_.geometry().pages_per_segment;
  for (std::uint32_t i = 1; i < pages && first_pages_[segment].torn; ++i) {
    log_.queue({ArrayOpKind::read, true, Log::kTag, segment * pages + i});
    first_pages_[segment] = first_page(run_all(1).front());
    first_pages_[segment].place = FirstPage::kNoPlace;
  }
  // Nothing there can be read: whatever it held is elsewhere, or lost.
  if (first_pages_[segment].sequence == 0) first_pages_[segment].sequence = UINT64_MAX;
}

std::uint64_t PageFtl::newest_checkpoint(std::uint64_t before) {
  const std::uint32_t needed = checkpoint_layout().segments_needed();
  std::uint64_t newest = 0;
  for (const FirstPage& found : first_pages_)
    if (found.place == 0 && found.sequence < before) newest = std::max(newest, found.sequence);
  std::ranges::fill(held_, page::kNoSegment);
  held_first_ = 0;
  held_count_ = needed;
  for (std::uint32_t segment = 0; segment < first_pages_.size(); ++segment) {
    const FirstPage& found = first_pages_[segment];
    if (found.sequence == newest && found.place < needed) held_[found.place] = segment;
  }
  if (newest == 0) held_count_ = 0;
  return newest;
}

bool PageFtl::load_checkpoint(std::uint64_t sequence) {
  const CheckpointLayout layout = checkpoint_layout();
  for (std::uint32_t index = 0; index < layout.pages(); ++index) {
    const std::uint32_t segment = held_[index / layout.pages_per_segment];
    if (segment == page::kNoSegment) return false;
    const std::uint32_t ppn = segment * layout.pages_per_segment + index % layout.pages_per_segment;
    const std::uint16_t buffer = free_pages_.take();
    log_.queue({ArrayOpKind::read, true, Log::kTag, ppn, ArrayOp::kNoPage, buffer});
    const ArrayDone done = run_all(1).front();
    free_pages_.put(buffer);
    if (done.status != ArrayStatus::ok && done.status != ArrayStatus::corrected) return false;
    array_.read_buffer(buffer, 0, page_buffer_);
    if (!page::is_page(page_buffer_, index, sequence, log_.pages())) return false;
    load_checkpoint_page(index, sequence);
  }
  newer_than_ = sequence;
  std::ranges::fill(trimmed_, 0);
  for (std::uint32_t segment = 0; segment < first_pages_.size(); ++segment) find_since(segment);
  for (const std::uint32_t segment : held_.first(held_count_)) log_.found_held(segment);
  apply_records();
  newer_than_ = 0;
  return true;
}

void PageFtl::load_checkpoint_page(std::uint32_t index, std::uint64_t sequence) {
  const CheckpointLayout layout = checkpoint_layout();
  const auto bytes = page_buffer_.subspan(sizeof(CheckpointHead), layout.payload());
  std::uint64_t at = std::uint64_t{index} * layout.payload();
  std::size_t from = 0;
  for (; from + sizeof(Le32) <= bytes.size() && at < layout.map_bytes(); from += sizeof(Le32), at += sizeof(Le32)) {
    const auto lpn = static_cast<std::uint32_t>(at / sizeof(Le32));
    Le32 ppn;
    std::memcpy(&ppn, bytes.data() + from, sizeof ppn);
    if (lpn >= log_.pages() || !page::has_place(ppn)) continue;
    const std::uint32_t segment = log_.segment_of(ppn);
    // What was erased since is elsewhere now.
    if (segment < first_pages_.size() && first_pages_[segment].is_kept(sequence)) log_.found_page(lpn, ppn, sequence);
  }
  for (; from + sizeof(CheckpointRow) <= bytes.size() && at < layout.bytes();
       from += sizeof(CheckpointRow), at += sizeof(CheckpointRow)) {
    const auto segment = static_cast<std::uint32_t>((at - layout.map_bytes()) / sizeof(CheckpointRow));
    CheckpointRow row;
    std::memcpy(&row, bytes.data() + from, sizeof row);
    first_pages_[segment].open_at = row.open_at;
    log_.found_row(segment, row);
  }
}

void PageFtl::find_since(std::uint32_t segment) {
  const FirstPage& found = first_pages_[segment];
  const std::uint32_t pages = array_.geometry().pages_per_segment;
  if (found.sequence == 0 || std::ranges::find(held_.first(held_count_), segment) != held_.begin() + held_count_)
    return;
  if (found.place != FirstPage::kNoPlace) return log_.found_segment(segment, pages, 0);
  std::uint32_t used = pages;
  found_stream_ = log_.row_of(segment).stream;
  if (!found.is_kept(newer_than_))
    used = scan(segment);
  else if (found.open_at < pages)
    used = scan(segment, found.open_at > kPairReach ? found.open_at - kPairReach : 0);
  log_.found_segment(segment, used, found_stream_);
}

}  // namespace ftlab
