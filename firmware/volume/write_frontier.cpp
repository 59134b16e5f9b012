// Opening and appending.
#include "firmware/volume/write_frontier.h"

namespace ftlab {

std::uint32_t WriteFrontier::room() const {
  std::uint32_t slots = v_.usable_free() * v_.slots;
  for (const std::uint32_t active : v_.active)
    if (active != kNone) slots += v_.slots - v_.segments.row(active).used;
  return slots;
}

FtlStatus WriteFrontier::open_next(StreamId stream) {
  for (;;)
    if (const auto opened = try_open(stream)) return *opened;
}

std::optional<FtlStatus> WriteFrontier::try_open(StreamId stream) {
  const auto next = pool_.allocate();
  if (!next) return FtlStatus::no_space;
  const FlashStatus status = open_segment(*next, stream, true);
  if (status == FlashStatus::ok) {
    if (v_.replaced.deferred_victim == kNone || v_.usable_free() != 0) return FtlStatus::ok;
    // The last segment that is really free: make the deferred victim erasable before it is needed.
    const FtlStatus rescued = rescue_pending(*next);
    if (rescued != FtlStatus::ok || has_room(stream)) return rescued;
    return std::nullopt;  // the rescue filled it, or it failed
  }
  if (!is_media_failure(status)) {
    v_.segments.push_free(*next);
    return v_.read_only ? FtlStatus::read_only : FtlStatus::write_failed;
  }
  pool_.mark_bad(*next);
  return std::nullopt;
}

FtlStatus WriteFrontier::rescue_pending(std::uint32_t segment) {
  const CauseScope cause(v_.probe, Cause::clean);
  const std::uint32_t old = v_.replaced.ppn;
  const std::uint32_t lpn = v_.segments.lpn_at(old);
  const FlashStatus read = v_.store->read(v_.segments.segment_of(old), v_.segments.slot_of(old), 0, v_.rescue_buffer);
  if (is_media_failure(read) && v_.store->lose(old)) {
    v_.pages.unmap(lpn);
    v_.lost.add(lpn);
    v_.replaced.ppn = kUnmapped;
    pool_.release_deferred();
    return FtlStatus::ok;
  }
  const bool unreadable = is_media_failure(read) && v_.store->copies_unreadable();
  if (read != FlashStatus::ok && !unreadable) return FtlStatus::read_failed;
  const PageMetadata page{lpn, v_.pages.updates(lpn), v_.pages.stamp(lpn), true, unreadable};
  Appended<FlashStatus> copy;
  for (;;) {
    copy = append_to(segment, page, v_.rescue_buffer.data());
    if (copy.ok()) break;
    if (!is_media_failure(copy.status)) return FtlStatus::write_failed;
    pool_.retire(segment);
    // No other one is free: whatever stream has room.
    segment = any_active();
    if (segment == kNone) return FtlStatus::no_space;
  }
  // It counts as valid until it is replaced, so that no victim is worth its slot alone: cleaning that for another
  // rescue would never end.
  v_.pages.move(Lpn{lpn}, Ppn{copy.ppn});
  v_.probe.count(Work::page_copy, 1);
  ++v_.stats.pages_copied;
  v_.replaced.ppn = kUnmapped;
  v_.replaced.rescued = true;
  pool_.release_deferred();
  return FtlStatus::ok;
}

bool WriteFrontier::free_deferred() {
  if (v_.replaced.deferred_victim == kNone || v_.usable_free() != 0) return false;
  const std::uint32_t segment = any_active();
  return segment != kNone && rescue_pending(segment) == FtlStatus::ok;
}

FlashStatus WriteFrontier::open_segment(std::uint32_t segment, StreamId stream, bool active) {
  const CauseScope cause(v_.probe, Cause::metadata);
  SegmentRow& row = v_.segments.row(segment);
  FlashStatus status = row.needs_erase ? pool_.erase(segment) : FlashStatus::ok;
  if (status == FlashStatus::ok) status = v_.store->open(segment, stream);
  if (status != FlashStatus::ok) return status;
  v_.segments.set_state(segment, SegmentState::open);
  row.used = 0;
  if (active) v_.active[stream] = segment;
  v_.store->opened(segment, active);
  return FlashStatus::ok;
}

Appended<FlashStatus> WriteFrontier::append_to(std::uint32_t segment, const PageMetadata& page, const std::byte* data) {
  SegmentRow& row = v_.segments.row(segment);
  const std::uint32_t slot = row.used;
  const Appended<FlashStatus> appended{v_.store->append(segment, slot, page, data), v_.segments.ppn(segment, slot)};
  // A segment that the page store has retired although the pages count has no slot left.
  if (row.used == slot) row.used = static_cast<std::uint16_t>(slot + 1);
  v_.segments.lpn_at(appended.ppn) = page.lpn;
  if (appended.ok()) v_.segments.set_valid(segment, slot);
  if (row.used == v_.slots) pool_.close(segment);
  return appended;
}

std::optional<Appended<FtlStatus>> WriteFrontier::try_append(std::uint32_t segment, const PageMetadata& page,
                                                             const std::byte* data) {
  const Appended<FlashStatus> appended = append_to(segment, page, data);
  if (appended.ok()) return Appended<FtlStatus>{FtlStatus::ok, appended.ppn};
  if (!is_media_failure(appended.status)) return Appended<FtlStatus>{FtlStatus::write_failed};
  pool_.retire(segment);
  return std::nullopt;
}

std::uint32_t WriteFrontier::any_active() const {
  for (const std::uint32_t active : v_.active)
    if (active != kNone) return active;
  return kNone;
}

Appended<FtlStatus> WriteFrontier::append_anywhere(StreamId wish, const PageMetadata& page, const std::byte* data) {
  for (;;) {
    std::uint32_t segment = v_.active[wish];
    if (segment == kNone && v_.usable_free() == 0) segment = any_active();
    if (segment == kNone) {
      const auto opened = try_open(wish);
      if (opened && *opened != FtlStatus::ok) return {*opened};
    } else if (const auto done = try_append(segment, page, data)) {
      return *done;
    }
  }
}

}  // namespace ftlab
