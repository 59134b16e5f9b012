// Where a mount looks, and what it makes of it.
#include "firmware/volume/nand/scan.h"

#include <algorithm>

namespace ftlab::nand {
namespace {

/// After so many blank pages nothing more is in a segment, unless a checkpoint reports of more that were tried.
constexpr std::uint32_t kScanBlanksAtEnd = 8;

}  // namespace

FlashStatus Scan::run(ScanVisitor& visitor, bool void_too) {
  void_too_ = void_too;
  sequence_ = checkpoints_.head().sequence;
  stamp_ = checkpoints_.head().clock;
  for (std::uint32_t segment = 0; segment < store_.geometry().segments; ++segment) {
    if (checkpoints_.is_checkpoint_segment(segment) || store_.is_slc_segment(segment)) {
      ScannedSegment fixed;
      fixed.segment = segment;
      fixed.state = SegmentState::fixed;
      fixed.mode = PageMode::lsb_only;
      fixed.erase_count = checkpoints_.row(segment).erase_count;
      visitor.segment(fixed);
      continue;
    }
    const FlashStatus status = look_at(segment, visitor);
    if (status != FlashStatus::ok) return status;
  }
  return FlashStatus::ok;
}

FlashStatus Scan::look_at(std::uint32_t segment, ScanVisitor& visitor) {
  const CheckpointRow before = checkpoints_.row(segment);
  ScannedSegment found;
  found.segment = segment;
  found.state = SegmentState::bad;
  found.erase_count = before.erase_count;
  if (before.state != SegmentState::bad) {
    probe_.count(Work::header_scan, 1);
    store_.found_reads(segment, before.reads);
    const bool was_free = before.state == SegmentState::free;
    Looked looked = was_free ? Looked::not_found : by_summary(segment, before.mode, found, visitor);
    if (looked == Looked::not_found) {
      const auto first = store_.read_metadata(segment, 0);
      if (first.result.status == FlashStatus::timeout) return FlashStatus::timeout;
      if (first.intact && (was_free || first.metadata.mode != before.mode))
        looked = by_summary(segment, first.metadata.mode, found, visitor);
      if (looked == Looked::not_found && first.blank) {
        found.state = SegmentState::free;
        found.erase_count = before.erase_count + (was_free ? 0U : 1U);
        looked = Looked::found;
      }
      if (looked == Looked::not_found) {
        PageMode mode = first.metadata.mode;
        const bool was_open = before.state == SegmentState::open;
        if (!first.intact && !find_mode(segment, mode)) mode = was_open ? before.mode : PageMode::full;
        // Sealed, and still without summary: a mount gave it up, and gaps may be anywhere.
        const bool given_up = before.state == SegmentState::sealed;
        const std::uint32_t tried = was_open ? before.used : given_up ? store_.slots(mode) : 0;
        const FlashStatus status = by_pages(segment, mode, tried, found, visitor);
        if (status != FlashStatus::ok) return status;
      }
    }
    if (looked == Looked::gone) return FlashStatus::timeout;
    const bool same_erase = found.state != SegmentState::free && found.erase_count == before.erase_count;
    found.retired = before.retired && same_erase;
    found.attempted = same_erase ? attempted(segment, found.mode, found.used, found.erase_count) : found.used;
    if (found.state == SegmentState::free)
      store_.forget_reads(segment);
    else if (!same_erase)
      store_.found_reads(segment, 0);
    store_.set_mode(segment, found.mode);
  }
  visitor.segment(found);
  return FlashStatus::ok;
}

void Scan::offer(std::uint32_t segment, std::uint32_t slot, const PageMetadata& metadata, ScannedSegment& found,
                 ScanVisitor& visitor) {
  found.erase_count = metadata.erase_count;
  found.region = metadata.region;
  sequence_ = std::max(sequence_, metadata.sequence);
  stamp_ = std::max(stamp_, metadata.stamp);
  // A page that was written has been given a sequence number and counted.
  if (metadata.lpn >= checkpoints_.head().logical_pages || metadata.sequence == 0 || metadata.updates == 0) return;
  // Trimmed, or not the newest copy as of the checkpoint: then one that cannot be found was.
  if (!void_too_ && metadata.sequence <= checkpoints_.head().sequence && !checkpoints_.valid(segment, slot)) return;
  visitor.page(segment, slot, metadata);
}

Scan::Looked Scan::by_summary(std::uint32_t segment, PageMode mode, ScannedSegment& found, ScanVisitor& visitor) {
  PageIo::FoundPage page;
  if (!store_.read_summary(segment, mode, page))
    return page.result.status == FlashStatus::timeout ? Looked::gone : Looked::not_found;
  found.state = SegmentState::sealed;
  found.summary = true;
  found.mode = mode;
  found.used = store_.slots(mode);
  found.region = page.metadata.region;
  found.erase_count = page.metadata.erase_count;
  found.refresh = page.result.needs_refresh;
  found.opened_sequence = store_.summary_head().opened_sequence;
  found.opened_stamp = store_.summary_head().opened_stamp;
  for (std::uint32_t slot = 0; slot < found.used; ++slot) {
    PageMetadata metadata;
    if (store_.summary_entry(slot, metadata)) offer(segment, slot, metadata, found, visitor);
  }
  return Looked::found;
}

void Scan::name_lost(std::uint32_t segment, std::uint32_t slot, const PageMetadata& metadata, std::uint64_t after,
                     ScanVisitor& visitor) const {
  const std::uint64_t as_of = checkpoints_.head().sequence;
  if (metadata.before >= checkpoints_.head().logical_pages || metadata.sequence <= as_of) return;
  // What was programmed before the checkpoint is recorded by its bits.
  const CheckpointRow row = checkpoints_.row(segment);
  if (row.state == SegmentState::open && row.erase_count == metadata.erase_count && slot <= row.used) return;
  if (metadata.distance != 0) after = metadata.sequence - metadata.distance - 1;
  visitor.lost(metadata.before, std::max(after, as_of));
}

bool Scan::find_mode(std::uint32_t segment, PageMode& mode) {
  std::uint32_t blanks = 0;
  for (std::uint32_t page = 1; page < store_.pages(PageMode::full) && blanks < kScanBlanksAtEnd; ++page) {
    const auto read = store_.read_metadata(segment, page);
    blanks = read.blank ? blanks + 1 : 0;
    if (!read.intact) continue;
    mode = read.metadata.mode;
    return true;
  }
  return false;
}

FlashStatus Scan::by_pages(std::uint32_t segment, PageMode mode, std::uint32_t tried, ScannedSegment& found,
                           ScanVisitor& visitor) {
  found.mode = mode;
  std::uint32_t blanks = 0;
  bool any = false;
  bool worn = false;
  bool gap = false;
  std::uint64_t newest = 0;
  for (std::uint32_t slot = 0; slot < store_.pages(mode) && (slot <= tried || blanks < kScanBlanksAtEnd); ++slot) {
    const auto read = store_.read_metadata(segment, store_.page_of(segment, mode, slot));
    if (read.result.status == FlashStatus::timeout) return FlashStatus::timeout;
    blanks = read.blank ? blanks + 1 : 0;
    const bool was_gap = gap;
    // The slot behind the last is the summary's.
    gap = !read.intact || read.metadata.kind != PageKind::data || slot >= store_.slots(mode);
    if (read.blank) continue;
    found.used = slot + 1;
    worn = worn || read.result.needs_refresh;
    if (gap) {
      found.torn = true;
      continue;
    }
    if (was_gap) name_lost(segment, slot, read.metadata, newest, visitor);
    newest = std::max(newest, read.metadata.sequence);
    if (!any) found.opened_sequence = read.metadata.sequence;
    any = true;
    found.opened_stamp = std::max(found.opened_stamp, read.metadata.stamp);
    offer(segment, slot, read.metadata, found, visitor);
  }
  // Nothing whole: a first program or an erase was interrupted.
  found.state = !any                               ? SegmentState::free
                : found.used >= store_.slots(mode) ? SegmentState::sealed
                                                   : SegmentState::open;
  found.refresh = any && worn;
  if (found.state == SegmentState::sealed) found.used = store_.slots(mode);
  return FlashStatus::ok;
}

bool Scan::reopen(const ScannedSegment& found, std::uint32_t next_slot) {
  if (!store_.reopen(found.segment, found.mode, found.opened_sequence, found.opened_stamp, next_slot)) return false;
  for (std::uint32_t slot = 0; slot < found.used; ++slot) {
    const auto read = store_.read_metadata(found.segment, store_.page_of(found.segment, found.mode, slot));
    if (read.intact && read.metadata.kind == PageKind::data)
      store_.restore_metadata(found.segment, slot, read.metadata);
  }
  return true;
}

std::uint32_t Scan::attempted(std::uint32_t segment, PageMode mode, std::uint32_t used,
                              std::uint32_t erase_count) const {
  const CheckpointRow before = checkpoints_.row(segment);
  if (before.erase_count != erase_count) return used;
  // Sealed though it has no summary: a mount before this one found no slot to go on with.
  if (before.state == SegmentState::sealed) return store_.slots(mode);
  return before.state == SegmentState::open ? std::max(used, before.used) : used;
}

bool Scan::resume(const ScannedSegment& found) {
  const std::uint32_t next = found.attempted + 1;
  return next < store_.slots(found.mode) && reopen(found, next);
}

}  // namespace ftlab::nand
