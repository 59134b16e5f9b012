// Erase, birth, free list, retirement.
#include "firmware/ftl/fms/segment_pool.h"

#include <algorithm>
#include <utility>

namespace ftlab::fms {
namespace {

constexpr std::uint32_t kMostMoreReserve = 2;

}  // namespace

std::optional<std::uint32_t> SegmentPool::take() {
  for (;;) {
    std::uint32_t next = s_.segments.first_free();
    if (next != kNone && next == s_.pending.deferred_victim) next = s_.segments.row(next).next_free;
    if (next == kNone) return std::nullopt;
    if (!s_.segments.row(next).erasing) {
      s_.segments.remove_free(next);
      return next;
    }
    if (s_.io.erases_under_way() == 0) return std::nullopt;
    poll_erases(true);
    if (s_.port_lost) return std::nullopt;
  }
}

FtlStatus SegmentPool::give_back(std::uint32_t segment) {
  SegmentRow& row = s_.segments.row(segment);
  // Before anything else is programmed or erased, and that includes the bad mark: a cut must not bring trimmed pages
  // back.
  FlashStatus status = s_.medium->may_erase(segment);
  if (status == FlashStatus::write_protected) return s_.read_only ? FtlStatus::read_only : FtlStatus::write_failed;
  row.used = 0;
  if (s_.pending.ppn != kUnmapped && s_.segments.segment_of(s_.pending.ppn) == segment) {
    if (row.retired) {
      s_.segments.mark_stuck(segment, s_.segments.slot_of(s_.pending.ppn));
      row.used = static_cast<std::uint16_t>(s_.slots);
      s_.pending.burial = segment;
    } else {
      s_.pending.deferred_victim = segment;
      s_.segments.push_free(segment);
    }
    return FtlStatus::ok;
  }
  if (row.retired) {
    bury(segment);
    return FtlStatus::ok;
  }
  if (status == FlashStatus::ok && s_.config.erase_mode == FmsConfig::EraseMode::overlap) {
    status = s_.medium->void_all(segment);
    if (status == FlashStatus::ok && s_.io.start_erase(segment)) {
      row.erasing = true;
      s_.segments.push_free(segment);
      return FtlStatus::ok;
    }
  }
  // A mark that failed is not tried again: the segment is one that failed.
  if (status == FlashStatus::ok) status = renew(segment);
  if (status == FlashStatus::ok)
    s_.segments.push_free(segment);
  else
    bury(segment);
  return FtlStatus::ok;
}

void SegmentPool::settle_deferred() {
  const CauseScope cause(s_.probe, Cause::clean);
  if (s_.pending.burial != kNone) bury(std::exchange(s_.pending.burial, kNone));
  const std::uint32_t segment = std::exchange(s_.pending.deferred_victim, kNone);
  if (segment == kNone) return;
  if (renew(segment) == FlashStatus::ok) return;
  s_.segments.remove_free(segment);
  bury(segment);
}

void SegmentPool::poll_erases(bool wait) {
  if (s_.io.erases_under_way() == 0) return;
  const CauseScope cause(s_.probe, Cause::clean);
  bool any = false;
  while (const auto done = s_.io.finished_erase(wait && !any)) {
    any = true;
    SegmentRow& row = s_.segments.row(done->segment);
    row.erasing = false;
    FlashStatus status = done->status;
    if (status == FlashStatus::ok) {
      ++row.erase_count;
      ++s_.stats.erases;
      last_erased_ = done->segment;
      status = s_.medium->born(done->segment);
    }
    if (status == FlashStatus::ok) continue;
    s_.segments.remove_free(done->segment);
    bury(done->segment);
  }
  if (wait && !any) s_.port_lost = true;
}

FlashStatus SegmentPool::renew(std::uint32_t segment) {
  SegmentRow& row = s_.segments.row(segment);
  if (const FlashStatus allowed = s_.medium->may_erase(segment); allowed != FlashStatus::ok) return allowed;
  // An erase cut half-way may leave old copies readable: make them void first.
  FlashStatus status = s_.medium->void_all(segment);
  if (status == FlashStatus::ok) status = s_.io.erase(segment);
  if (status != FlashStatus::ok) return status;
  ++row.erase_count;
  ++s_.stats.erases;
  last_erased_ = segment;
  return s_.medium->born(segment);
}

void SegmentPool::retire(std::uint32_t segment) {
  SegmentRow& row = s_.segments.row(segment);
  if (row.retired) return;
  row.retired = true;
  if (row.state == SegmentState::open) close(segment);
  s_.medium->retired(segment);
  judge_space();
}

void SegmentPool::bury(std::uint32_t segment) {
  SegmentRow& row = s_.segments.row(segment);
  s_.medium->buried(segment);
  row.retired = true;
  row.erasing = false;
  row.state = SegmentState::bad;
  row.used = 0;
  ++s_.stats.bad_segments;
  judge_space();
}

void SegmentPool::close(std::uint32_t segment) {
  SegmentRow& row = s_.segments.row(segment);
  row.state = SegmentState::sealed;
  row.used = static_cast<std::uint16_t>(s_.slots);
  for (std::uint32_t& active : s_.active)
    if (active == segment) active = kNone;
  s_.medium->close(segment);
}

void SegmentPool::judge_space() {
  FlashGeometry left = s_.geometry;
  std::uint32_t failed = 0;
  for (const SegmentRow& row : s_.segments.rows()) {
    if (row.state == SegmentState::bad || (row.damaged && row.stuck)) --left.segments;
    // One bad from the factory was never erased.
    if (row.retired && row.erase_count > 0) ++failed;
  }
  s_.read_only = s_.halted || max_logical_pages(s_.config, left) < s_.config.logical_pages;
  s_.more_reserve = std::min(failed, kMostMoreReserve);
  const auto fits = [&] {
    FmsConfig config = s_.config;
    config.low_water += s_.more_reserve;
    config.high_water += s_.more_reserve;
    return max_logical_pages(config, left) >= s_.config.logical_pages;
  };
  while (s_.more_reserve > 0 && !fits()) --s_.more_reserve;
}

bool SegmentPool::any_failed() const {
  return std::ranges::any_of(s_.segments.rows(), [](const SegmentRow& row) { return row.retired; });
}

void SegmentPool::release_damaged() {
  for (std::uint32_t lpn = 0; lpn < s_.pages.size(); ++lpn)
    if (s_.lost.has(lpn)) return;
  for (std::uint32_t i = 0; i < s_.segments.segments(); ++i)
    if (s_.segments.row(i).damaged) s_.segments.row(i).stuck = false;
  judge_space();
}

bool SegmentPool::give_up(std::uint32_t segment) {
  const SegmentRow& row = s_.segments.row(segment);
  const std::uint32_t slot = row.stuck_slot;
  if (!row.stuck || slot >= s_.slots || !s_.segments.is_valid(segment, slot)) return false;
  const std::uint32_t ppn = s_.segments.ppn(segment, slot);
  if (!s_.medium->lose(ppn)) return false;
  s_.segments.drop_valid(segment, slot);
  s_.pages.unmap(s_.segments.lpn_at(ppn));
  s_.lost.add(s_.segments.lpn_at(ppn));
  return true;
}

bool SegmentPool::give_up_unreadable() {
  for (std::uint32_t id = 0; id < s_.segments.segments(); ++id)
    if (s_.segments.row(id).state == SegmentState::sealed && give_up(id)) return true;
  return false;
}

std::uint32_t SegmentPool::take_last_erased() { return std::exchange(last_erased_, kNone); }

}  // namespace ftlab::fms
