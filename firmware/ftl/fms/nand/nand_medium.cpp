// Pages and the life of segments on NAND; format.
#include "firmware/ftl/fms/nand/nand_medium.h"

#include <algorithm>

namespace ftlab::fms {
namespace {

/// Segments of an old volume that a format gives up for checkpoint segments that fail before it could say that it
/// began.
constexpr std::uint32_t kFreeForCheckpoints = 4;
constexpr std::uint32_t kFtlTag = 0x20534D46;  // "FMS "
/// Layout of a volume: bit 1 says that stamps count time.
std::uint32_t layout_of(const FmsConfig& config) { return config.age_clock == FmsConfig::AgeClock::time ? 3 : 1; }

}  // namespace

NandMedium::NandMedium(FmsState& state, SegmentPool& pool, Frontier& frontier)
    : s_(state),
      pool_(pool),
      frontier_(frontier),
      store_(state.io, state.geometry),
      checkpoints_(store_, {kFtlTag, layout_of(state.config), state.config.logical_pages, 0}) {}

void NandMedium::measure(Arena& arena, const FlashGeometry& geometry, const FmsConfig& config) {
  nand::PageStoreTables().layout(arena, geometry, kOpenSegments);
  nand::CheckpointTables().layout(arena, geometry, config.logical_pages);
  (void)arena.take<std::uint64_t>(config.logical_pages);
}

void NandMedium::layout(Arena& arena) {
  store_.layout(arena, kOpenSegments);
  checkpoints_.layout(arena);
  sequences_ = arena.take<std::uint64_t>(s_.config.logical_pages);
}

FlashStatus NandMedium::read(std::uint32_t segment, std::uint32_t slot, std::uint32_t offset, std::byte* into,
                             std::uint32_t length) {
  const nand::PageResult result = store_.read(segment, slot, into, offset, length);
  if (result.needs_refresh) want_refresh(segment);
  return result.status;
}

void NandMedium::want_refresh(std::uint32_t segment) {
  s_.segments.row(segment).refresh = true;
  s_.refresh_wanted = true;
}

FlashStatus NandMedium::append(std::uint32_t segment, std::uint32_t slot, const PageRecord& page,
                               const std::byte* data) {
  const SegmentRow& row = s_.segments.row(segment);
  nand::PageMetadata record;
  record.lpn = page.lpn;
  record.updates = nand::saturated(page.updates);
  record.stamp = to_stamp(page.stamp);
  record.sequence = ++s_.sequence;
  record.erase_count = row.erase_count;
  record.copied = page.copied;
  record.region = row.stream;
  const nand::PageResult result = store_.program(segment, slot, record, data);
  // No summary for a segment that failed: its last page may be as bad.
  if (is_media_failure(result.status)) store_.drop(segment);
  return result.status;
}

FlashStatus NandMedium::trim(std::uint32_t ppn) {
  s_.segments.row(s_.segments.segment_of(ppn)).trimmed = true;
  checkpoints_.note_change();
  return FlashStatus::ok;
}

FlashStatus NandMedium::open(std::uint32_t segment, StreamId stream) {
  SegmentRow& row = s_.segments.row(segment);
  row.stream = stream;
  row.opened_stamp = s_.clock;
  row.opened_sequence = ++s_.sequence;
  return store_.open(segment, PageMode::full, row.opened_sequence, to_stamp(row.opened_stamp)) ? FlashStatus::ok
                                                                                               : FlashStatus::timeout;
}

std::uint64_t NandMedium::to_stamp(std::uint64_t clock) const { return std::min(clock >> stamp_shift(), nand::kMax40); }

std::uint64_t NandMedium::from_stamp(std::uint64_t stamp) const {
  const unsigned shift = stamp_shift();
  return std::min(stamp, UINT64_MAX >> shift) << shift;
}

void NandMedium::opened(std::uint32_t, std::uint16_t) {
  checkpoints_.note_opening();
  if (checkpoints_.due()) (void)write_checkpoint();
}

void NandMedium::close(std::uint32_t segment) {
  if (!store_.is_open(segment)) return;
  if (s_.segments.row(segment).retired) {
    store_.drop(segment);
    return;
  }
  const CauseScope cause(s_.probe, Cause::metadata);
  const bool recorded = store_.used(segment) < s_.slots && write_checkpoint();
  // The page shares cells with the last LSB page: a failure may have spoiled it.
  if (is_media_failure(store_.seal(segment, recorded).status)) pool_.retire(segment);
}

FlashStatus NandMedium::may_erase(std::uint32_t segment) {
  const SegmentRow& row = s_.segments.row(segment);
  // A cut may have come after the bad mark and before a checkpoint that knows of it.
  if (row.unproven && store_.is_marked_bad(segment)) return FlashStatus::erase_failed;
  // Power lost in the erase that comes before a bad-block marker leaves what looks like a segment still being filled.
  const bool untold = row.trimmed || (row.retired && checkpoints_.failure_unrecorded());
  return !untold || write_checkpoint() ? FlashStatus::ok : FlashStatus::write_protected;
}

FlashStatus NandMedium::born(std::uint32_t segment) {
  store_.erased(segment);
  SegmentRow& row = s_.segments.row(segment);
  row.unproven = row.refresh = row.trimmed = false;
  row.freed_sequence = ++s_.sequence;
  return FlashStatus::ok;
}

void NandMedium::retired(std::uint32_t segment) {
  store_.drop(segment);
  checkpoints_.note_failure();
  want_refresh(segment);
}

void NandMedium::buried(std::uint32_t segment) {
  (void)store_.mark_bad(segment);
  checkpoints_.note_failure();
}

FtlStatus NandMedium::flush() {
  // Also when read-only: what was trimmed before is told by a checkpoint alone.
  if (!checkpoints_.changed()) return FtlStatus::ok;
  if (!checkpoints_lost_ && write_checkpoint()) return FtlStatus::ok;
  return checkpoints_lost_ ? FtlStatus::read_only : FtlStatus::write_failed;
}

bool NandMedium::write_checkpoint(nand::CheckpointKind kind) {
  const CauseScope cause(s_.probe, Cause::metadata);
  const std::uint32_t erases = checkpoints_.erases();
  const FlashStatus status = checkpoints_.write(kind, s_.sequence, to_stamp(s_.clock), *this);
  s_.stats.log_erases += checkpoints_.erases() - erases;
  if (status != FlashStatus::ok) {
    // Both of its segments refuse: trims can no longer be kept.
    if (is_media_failure(status)) checkpoints_lost_ = s_.read_only = s_.halted = true;
    return false;
  }
  for (std::uint32_t i = 0; i < s_.segments.segments(); ++i) s_.segments.row(i).trimmed = false;
  for (std::uint32_t which = 0; which < 2; ++which)
    s_.segments.row(checkpoints_.segment(which)).erase_count = checkpoints_.erase_count(which);
  return true;
}

nand::CheckpointRow NandMedium::checkpoint_row(std::uint32_t segment) const {
  const SegmentRow& row = s_.segments.row(segment);
  return {row.erase_count, store_.reads(segment), store_.used(segment), row.state, PageMode::full, row.retired};
}

bool NandMedium::checkpoint_mapped(std::uint32_t lpn) const {
  return s_.pages.ppn(lpn) != kUnmapped || s_.lost.has(lpn);
}

/// A page that the host is replacing is not valid any more, but until the new copy commits the old one counts.
bool NandMedium::checkpoint_valid(std::uint32_t segment, std::uint32_t slot) const {
  return s_.segments.is_valid(segment, slot) || s_.pending.ppn == s_.segments.ppn(segment, slot);
}

std::uint32_t NandMedium::replace_checkpoint_segment(std::uint32_t failed) {
  if (s_.segments.free_count() < 2) return kNone;
  std::uint32_t next = s_.segments.first_free();
  while (next != kNone &&
         (next == s_.pending.deferred_victim || s_.segments.row(next).erasing || s_.segments.row(next).trimmed ||
          (s_.segments.row(next).unproven && store_.is_marked_bad(next))))
    next = s_.segments.row(next).next_free;
  if (next == kNone) return kNone;
  s_.segments.remove_free(next);
  s_.segments.row(next).state = SegmentState::fixed;
  s_.segments.row(next).unproven = false;
  SegmentRow& row = s_.segments.row(failed);
  row.state = SegmentState::bad;
  row.retired = true;
  ++s_.stats.bad_segments;
  pool_.judge_space();
  return next;
}

void NandMedium::set_fixed() {
  for (std::uint32_t i = 0; i < s_.segments.segments(); ++i)
    if (checkpoints_.is_checkpoint_segment(i) || store_.is_slc_segment(i))
      s_.segments.row(i).state = SegmentState::fixed;
  for (std::uint32_t which = 0; which < 2; ++which)
    s_.segments.row(checkpoints_.segment(which)).erase_count = checkpoints_.erase_count(which);
}

bool NandMedium::looks_new(std::uint32_t segment) {
  const std::uint32_t last = store_.pages(PageMode::full) - 1;
  const std::uint32_t probes[] = {0, 1, last / 2, last};
  for (const std::uint32_t page : probes)
    if (!store_.read_metadata(segment, page).blank) return false;
  return true;
}

FtlStatus NandMedium::prepare(std::uint32_t segment, bool new_part) {
  SegmentRow& row = s_.segments.row(segment);
  if (store_.is_marked_bad(segment)) {
    row.state = SegmentState::bad;
    row.retired = true;
    ++s_.stats.bad_segments;
    return FtlStatus::ok;
  }
  const FlashStatus status = new_part && looks_new(segment) ? s_.medium->born(segment) : pool_.renew(segment);
  if (status == FlashStatus::ok)
    s_.segments.push_free(segment);
  else if (is_media_failure(status))
    pool_.bury(segment);
  else
    return FtlStatus::write_failed;
  return FtlStatus::ok;
}

FtlStatus NandMedium::format() {
  const CauseScope cause(s_.probe, Cause::metadata);
  store_.clear();
  checkpoints_lost_ = false;
  const bool new_part = checkpoints_.load() == nand::Checkpoints::Found::nothing;
  // Of another layout rows may be missing; what is there is kept.
  for (std::uint32_t i = 0; i < s_.segments.segments(); ++i)
    s_.segments.row(i).erase_count = checkpoints_.row(i).erase_count;
  s_.volume = checkpoints_.head().volume + 1;
  store_.set_volume(s_.volume);
  s_.sequence = checkpoints_.head().sequence;
  set_fixed();
  std::uint32_t next = 0;
  const auto prepare_until = [&](std::uint32_t free) {
    FtlStatus status = FtlStatus::ok;
    for (; next < s_.segments.segments() && s_.segments.free_count() < free && status == FtlStatus::ok; ++next)
      if (s_.segments.row(next).state == SegmentState::free) status = prepare(next, new_part);
    return status;
  };
  if (!write_checkpoint(nand::CheckpointKind::formatting)) {
    if (!checkpoints_lost_) return FtlStatus::write_failed;
    // A checkpoint segment failed, and nothing was free to take its place.
    checkpoints_lost_ = s_.read_only = s_.halted = false;
    const FtlStatus status = prepare_until(kFreeForCheckpoints);
    if (status != FtlStatus::ok) return status;
    if (!write_checkpoint(nand::CheckpointKind::formatting)) return FtlStatus::write_failed;
  }
  const FtlStatus prepared = prepare_until(s_.segments.segments());
  if (prepared != FtlStatus::ok) return prepared;
  pool_.judge_space();
  if (s_.read_only) return FtlStatus::write_failed;
  for (StreamId stream = 0; stream < s_.redistribution->streams; ++stream) {
    const FtlStatus status = frontier_.open_next(stream);
    if (status != FtlStatus::ok) return status;
  }
  if (!write_checkpoint()) return FtlStatus::write_failed;
  const std::uint64_t bad = s_.stats.bad_segments;
  s_.stats = {};
  s_.stats.bad_segments = bad;
  return FtlStatus::ok;
}

}  // namespace ftlab::fms
