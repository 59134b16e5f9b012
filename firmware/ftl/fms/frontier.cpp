// Opening and appending.
#include "firmware/ftl/fms/frontier.h"

namespace ftlab::fms {

std::uint32_t Frontier::room() const {
  std::uint32_t slots = s_.usable_free() * s_.slots;
  for (const std::uint32_t active : s_.active)
    if (active != kNone) slots += s_.slots - s_.segments.row(active).used;
  return slots;
}

FtlStatus Frontier::open_next(StreamId stream) {
  for (;;)
    if (const auto opened = try_open(stream)) return *opened;
}

std::optional<FtlStatus> Frontier::try_open(StreamId stream) {
  const auto next = pool_.take();
  if (!next) return FtlStatus::no_space;
  const FlashStatus status = open_segment(*next, stream, stream);
  if (status == FlashStatus::ok) {
    if (s_.pending.deferred_victim == kNone || s_.usable_free() != 0) return FtlStatus::ok;
    // The last segment that is really free: make the deferred victim erasable before it is needed.
    const FtlStatus rescued = rescue_pending(*next);
    if (rescued != FtlStatus::ok || has_room(stream)) return rescued;
    return std::nullopt;  // the rescue filled it, or it failed
  }
  if (!is_media_failure(status)) {
    s_.segments.push_free(*next);
    return FtlStatus::write_failed;
  }
  pool_.bury(*next);
  return std::nullopt;
}

FtlStatus Frontier::rescue_pending(std::uint32_t segment) {
  const std::uint32_t old = s_.pending.ppn;
  const std::uint32_t lpn = s_.segments.lpn_at(old);
  const FlashStatus read = s_.medium->read(s_.segments.segment_of(old), s_.segments.slot_of(old), 0,
                                           s_.rescue_buffer.data(), s_.config.page_bytes);
  if (is_media_failure(read) && s_.medium->lose(old)) {
    s_.pages.unmap(lpn);
    s_.lost.add(lpn);
    s_.pending.ppn = kUnmapped;
    pool_.settle_deferred();
    return FtlStatus::ok;
  }
  const bool unreadable = is_media_failure(read) && s_.medium->copies_unreadable();
  if (read != FlashStatus::ok && !unreadable) return FtlStatus::read_failed;
  std::uint32_t ppn = kUnmapped;
  const PageRecord page{lpn, s_.pages.updates(lpn), s_.pages.stamp(lpn), true, unreadable};
  for (;;) {
    const FlashStatus status = append_to(segment, page, s_.rescue_buffer.data(), ppn);
    if (status == FlashStatus::ok) break;
    if (!is_media_failure(status)) return FtlStatus::write_failed;
    pool_.retire(segment);
    // No other one is free: whatever stream has room.
    segment = any_active();
    if (segment == kNone) return FtlStatus::no_space;
  }
  // It counts as valid until it is replaced, so that no victim is worth its slot alone: cleaning that for another
  // rescue would never end.
  s_.pages.move(lpn, ppn);
  s_.pending.ppn = kUnmapped;
  s_.pending.rescued = true;
  pool_.settle_deferred();
  return FtlStatus::ok;
}

bool Frontier::free_deferred() {
  if (s_.pending.deferred_victim == kNone || s_.usable_free() != 0) return false;
  const std::uint32_t segment = any_active();
  return segment != kNone && rescue_pending(segment) == FtlStatus::ok;
}

FlashStatus Frontier::open_segment(std::uint32_t segment, StreamId stream, std::uint16_t logged) {
  const CauseScope cause(s_.probe, Cause::metadata);
  SegmentRow& row = s_.segments.row(segment);
  FlashStatus status = row.unproven ? pool_.renew(segment) : FlashStatus::ok;
  if (status == FlashStatus::ok) status = s_.medium->open(segment, stream);
  if (status != FlashStatus::ok) return status;
  row.state = SegmentState::open;
  row.valid = row.used = 0;
  if (logged < kStreams) s_.active[logged] = segment;
  s_.medium->opened(segment, logged);
  return FlashStatus::ok;
}

FlashStatus Frontier::append_to(std::uint32_t segment, const PageRecord& page, const std::byte* data,
                                std::uint32_t& ppn) {
  SegmentRow& row = s_.segments.row(segment);
  const std::uint32_t slot = row.used;
  const FlashStatus status = s_.medium->append(segment, slot, page, data);
  // A segment that the medium has retired although the page counts has no slot left.
  if (row.used == slot) ++row.used;
  ppn = s_.segments.ppn(segment, slot);
  s_.segments.lpn_at(ppn) = page.lpn;
  if (status == FlashStatus::ok) s_.segments.set_valid(segment, slot);
  if (row.used == s_.slots) pool_.close(segment);
  return status;
}

std::optional<FtlStatus> Frontier::try_append(std::uint32_t segment, const PageRecord& page, const std::byte* data,
                                              std::uint32_t& ppn) {
  const FlashStatus status = append_to(segment, page, data, ppn);
  if (status == FlashStatus::ok) return FtlStatus::ok;
  if (!is_media_failure(status)) return FtlStatus::write_failed;
  pool_.retire(segment);
  return std::nullopt;
}

std::uint32_t Frontier::any_active() const {
  for (const std::uint32_t active : s_.active)
    if (active != kNone) return active;
  return kNone;
}

FtlStatus Frontier::append_anywhere(StreamId wish, const PageRecord& page, const std::byte* data, std::uint32_t& ppn) {
  for (;;) {
    std::uint32_t segment = s_.active[wish];
    if (segment == kNone && s_.usable_free() == 0) segment = any_active();
    if (segment == kNone) {
      const auto opened = try_open(wish);
      if (opened && *opened != FtlStatus::ok) return *opened;
    } else if (const auto done = try_append(segment, page, data, ppn)) {
      return *done;
    }
  }
}

}  // namespace ftlab::fms
