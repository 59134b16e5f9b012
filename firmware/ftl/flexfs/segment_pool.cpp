// Erase, free list, retirement, checkpoints.
#include "firmware/ftl/flexfs/segment_pool.h"

#include <algorithm>

namespace ftlab::flexfs {
namespace {

constexpr std::uint32_t kMaxMoreReserve = 2;

}  // namespace

std::uint32_t FlexFsState::replace_checkpoint_segment(std::uint32_t failed) {
  if (!mounted) return kNone;
  std::uint32_t next = kNone;
  for (std::uint32_t id = 0; id < segments.segments() && next == kNone; ++id) {
    const SegmentRow& row = segments.row(id);
    const bool outside =
        row.state == SegmentState::fixed && !store.is_slc_segment(id) && !checkpoints.is_checkpoint_segment(id);
    if (outside && !row.retired && !store.is_marked_bad(id)) next = id;
  }
  // One stays for copies; the next host page has the reserve filled up again.
  if (next == kNone && segments.free_count() >= kReserve) {
    next = segments.first_free();
    while (next != kNone && segments.row(next).needs_erase && store.is_marked_bad(next))
      next = segments.row(next).next_free;
    if (next == kNone) return kNone;
    segments.remove_free(next);
    --usable_segments;
  }
  if (next == kNone) return kNone;
  segments.set_state(next, SegmentState::fixed);
  segments.row(next).needs_erase = false;
  segments.set_state(failed, SegmentState::bad);
  segments.row(failed).retired = true;
  ++stats.bad_segments;
  return next;
}

std::optional<std::uint32_t> SegmentPool::allocate(std::uint32_t keep) {
  while (s_.segments.free_count() > keep) {
    const auto next = pick_free(s_.segments, *s_.free_choice);
    SegmentRow& row = s_.segments.row(*next);
    s_.segments.remove_free(*next);
    if (!row.needs_erase) return next;
    const FlashStatus status = erase(*next);
    if (status == FlashStatus::ok) {
      ++s_.used_segments;  // beside the erase that its use will cost
      return next;
    }
    if (!is_media_failure(status)) {
      s_.segments.push_free(*next);
      return std::nullopt;
    }
    mark_bad(*next);
  }
  return std::nullopt;
}

FlashStatus SegmentPool::erase(std::uint32_t segment) {
  SegmentRow& row = s_.segments.row(segment);
  // Power may have been lost after the bad-block marker and before a checkpoint that knows of it.
  if (row.needs_erase && s_.store.is_marked_bad(segment)) return FlashStatus::erase_failed;
  const FlashStatus status = s_.store.erase(segment);
  if (status != FlashStatus::ok) return status;
  s_.segments.count_erase(segment);
  ++s_.stats.erases;
  row.needs_erase = row.refresh = false;
  row.used = 0;
  return FlashStatus::ok;
}

FtlStatus SegmentPool::release(std::uint32_t segment) {
  SegmentRow& row = s_.segments.row(segment);
  // Power lost in the erase that comes before a bad-block marker leaves what looks like a segment still being filled.
  if (row.trimmed || (row.retired && s_.checkpoints.failure_unrecorded())) {
    const FtlStatus kept = write_checkpoint();
    if (kept != FtlStatus::ok) return kept;
  }
  if (row.retired) {
    mark_bad(segment);
    return FtlStatus::ok;
  }
  const FlashStatus status = erase(segment);
  if (status == FlashStatus::ok) {
    s_.segments.push_free(segment);
    return FtlStatus::ok;
  }
  if (!is_media_failure(status)) return FtlStatus::write_failed;
  mark_bad(segment);
  return FtlStatus::ok;
}

void SegmentPool::retire(std::uint32_t segment) {
  SegmentRow& row = s_.segments.row(segment);
  if (row.retired) return;
  row.retired = true;
  s_.store.drop(segment);
  close(segment);
  s_.checkpoints.note_failure();
  if (s_.mounted) update_space();
}

void SegmentPool::mark_bad(std::uint32_t segment) {
  SegmentRow& row = s_.segments.row(segment);
  (void)s_.store.mark_bad(segment);
  row.retired = true;
  row.refresh = row.trimmed = row.needs_erase = false;
  s_.segments.set_state(segment, SegmentState::bad);
  row.used = 0;
  ++s_.stats.bad_segments;
  s_.usable_segments -= 1;
  s_.checkpoints.note_failure();
  if (s_.mounted) recruit();
  update_space();
}

std::optional<std::uint32_t> SegmentPool::next_outside() {
  // As mark_fixed_segments() walks: a mount must come to the same range.
  const std::uint32_t wanted = data_segments(s_.config, s_.geometry);
  std::uint32_t good = 0;
  for (std::uint32_t id = 0; id < s_.segments.segments(); ++id) {
    SegmentRow& row = s_.segments.row(id);
    if (s_.store.is_slc_segment(id) || s_.checkpoints.is_checkpoint_segment(id)) continue;
    if (row.state != SegmentState::fixed) {
      good += row.retired ? 0U : 1U;
      continue;
    }
    if (good >= wanted) return std::nullopt;
    // The partition now goes beyond this one, whatever it is.
    ++s_.usable_segments;
    if (!row.retired && !s_.store.is_marked_bad(id)) return id;
    row.retired = true;
    s_.segments.set_state(id, SegmentState::bad);
    --s_.usable_segments;
    ++s_.stats.bad_segments;
  }
  return std::nullopt;
}

void SegmentPool::recruit() {
  while (const auto next = next_outside()) {
    SegmentRow& row = s_.segments.row(*next);
    // Recorded by no checkpoint, and what it holds is not known: erased before use, used only once recorded.
    row.needs_erase = true;
    s_.segments.push_free(*next);
    if (write_checkpoint() == FtlStatus::ok) continue;
    s_.segments.remove_free(*next);
    s_.segments.set_state(*next, SegmentState::fixed);
    row.needs_erase = false;
    --s_.usable_segments;
    return;
  }
}

void SegmentPool::close(std::uint32_t segment) {
  SegmentRow& row = s_.segments.row(segment);
  s_.segments.set_state(segment, SegmentState::sealed);
  row.used = static_cast<std::uint16_t>(s_.store.slots(row.mode));
  for (std::uint32_t& log : s_.log)
    if (log == segment) log = kNone;
}

void SegmentPool::update_space() {
  const std::uint32_t all = data_segments(s_.config, s_.geometry);
  // A format counts the bad ones inside a partition before it marks them bad.
  const std::uint32_t bad = all > s_.usable_segments ? all - s_.usable_segments : 0;
  s_.read_only =
      s_.checkpoints_lost || s_.halted || max_logical_pages(s_.config, s_.geometry, bad) < s_.config.logical_pages;
  std::uint32_t failed = 0;
  for (const SegmentRow& row : s_.segments.rows())
    if (row.retired && row.erase_count > 0) ++failed;  // one bad from the factory was never erased
  std::uint32_t more = std::min(failed, kMaxMoreReserve);
  while (more > 0 && max_logical_pages(s_.config, s_.geometry, bad + more) < s_.config.logical_pages) --more;
  s_.reserve = kReserve + more;
}

bool SegmentPool::halt_when_full() {
  bool full = s_.segments.free_count() == 0;
  for (const Region region : {Region::slc, Region::mlc}) full = full && !s_.has_room(region);
  for (const SegmentRow& row : s_.segments.rows())
    full = full && (row.state != SegmentState::sealed || row.valid > 0 || row.retired);
  if (full) s_.read_only = s_.halted = true;
  return full;
}

FtlStatus SegmentPool::write_checkpoint() {
  const CauseScope cause(s_.probe, Cause::metadata);
  s_.checkpoints.set_own(s_.used_segments);
  const std::uint32_t erases = s_.checkpoints.erases();
  const FlashStatus status = s_.checkpoints.write(nand::CheckpointKind::complete, s_.sequence, s_.stamp(), s_);
  s_.stats.log_erases += s_.checkpoints.erases() - erases;
  if (is_media_failure(status)) {
    s_.read_only = s_.checkpoints_lost = true;
    return FtlStatus::read_only;
  }
  if (status != FlashStatus::ok) return FtlStatus::write_failed;
  ++s_.flex.checkpoints;
  for (std::uint32_t which = 0; which < 2; ++which)
    s_.segments.row(s_.checkpoints.segment(which)).erase_count = s_.checkpoints.erase_count(which);
  if (s_.mounted) update_space();  // a checkpoint segment may have been replaced
  for (std::uint32_t id = 0; id < s_.segments.segments(); ++id) s_.segments.row(id).trimmed = false;
  s_.store.recorded_reads();
  return FtlStatus::ok;
}

void SegmentPool::record_reads() {
  if (s_.store.must_record_reads() && !s_.checkpoints_lost) (void)write_checkpoint();
}

}  // namespace ftlab::flexfs
