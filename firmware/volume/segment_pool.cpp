// Allocation, release, erase, retirement.
#include "firmware/volume/segment_pool.h"

#include <algorithm>
#include <utility>

namespace ftlab {
namespace {

constexpr std::uint32_t kMaxMoreReserve = 2;

}  // namespace

std::uint32_t SegmentPool::oldest_free() const {
  std::uint32_t id = v_.segments.first_free();
  if (id != kNone && id == v_.replaced.deferred_victim) id = v_.segments.row(id).next_free;
  return id;
}

std::optional<std::uint32_t> SegmentPool::allocate() {
  for (;;) {
    const std::uint32_t next = oldest_free();
    if (next == kNone) return std::nullopt;
    if (!v_.segments.row(next).erasing) {
      v_.segments.remove_free(next);
      return next;
    }
    if (v_.io.erases_under_way() == 0) return std::nullopt;
    poll_erases(true);
    if (v_.port_lost) return std::nullopt;
  }
}

FtlStatus SegmentPool::release(std::uint32_t segment) {
  SegmentRow& row = v_.segments.row(segment);
  // Before anything else is programmed or erased, and that includes the bad-block marker: a power loss must not
  // bring trimmed pages back.
  FlashStatus status = v_.store->may_erase(segment);
  if (status == FlashStatus::write_protected) return v_.read_only ? FtlStatus::read_only : FtlStatus::write_failed;
  row.used = 0;
  if (v_.replaced.ppn != kUnmapped && v_.segments.segment_of(v_.replaced.ppn) == segment) {
    if (row.retired) {
      v_.segments.mark_unreadable(segment, v_.segments.slot_of(v_.replaced.ppn));
      row.used = static_cast<std::uint16_t>(v_.slots);
      v_.replaced.retired_victim = segment;
    } else {
      v_.replaced.deferred_victim = segment;
      v_.segments.push_free(segment);
    }
    return FtlStatus::ok;
  }
  if (row.retired) {
    mark_bad(segment);
    return FtlStatus::ok;
  }
  if (status == FlashStatus::ok && v_.config.background_erase) {
    status = v_.store->void_all(segment);
    if (status == FlashStatus::ok && v_.io.start_erase(segment)) {
      row.erasing = true;
      v_.segments.push_free(segment);
      return FtlStatus::ok;
    }
  }
  // A mark that failed is not tried again: the segment is one that failed.
  if (status == FlashStatus::ok) status = erase(segment);
  if (status == FlashStatus::ok)
    v_.segments.push_free(segment);
  else
    mark_bad(segment);
  return FtlStatus::ok;
}

void SegmentPool::release_deferred() {
  const CauseScope cause(v_.probe, Cause::clean);
  if (v_.replaced.retired_victim != kNone) mark_bad(std::exchange(v_.replaced.retired_victim, kNone));
  const std::uint32_t segment = std::exchange(v_.replaced.deferred_victim, kNone);
  if (segment == kNone) return;
  if (erase(segment) == FlashStatus::ok) return;
  v_.segments.remove_free(segment);
  mark_bad(segment);
}

void SegmentPool::poll_erases(bool wait) {
  if (v_.io.erases_under_way() == 0) return;
  const CauseScope cause(v_.probe, Cause::clean);
  bool any = false;
  while (const auto done = v_.io.finished_erase(wait && !any)) {
    any = true;
    SegmentRow& row = v_.segments.row(done->segment);
    row.erasing = false;
    FlashStatus status = done->status;
    if (status == FlashStatus::ok) {
      count_erase(done->segment);
      status = v_.store->erased(done->segment);
    }
    if (status == FlashStatus::ok) continue;
    v_.segments.remove_free(done->segment);
    mark_bad(done->segment);
  }
  if (wait && !any) v_.port_lost = true;
}

void SegmentPool::await_erases() {
  while (v_.io.erases_under_way() > 0 && !v_.port_lost) poll_erases(true);
}

FlashStatus SegmentPool::erase(std::uint32_t segment) {
  if (const FlashStatus allowed = v_.store->may_erase(segment); allowed != FlashStatus::ok) return allowed;
  // An erase that power loss stopped may leave old copies readable: make them void first.
  FlashStatus status = v_.store->void_all(segment);
  if (status == FlashStatus::ok) status = v_.io.erase(segment);
  if (status != FlashStatus::ok) return status;
  count_erase(segment);
  return v_.store->erased(segment);
}

void SegmentPool::count_erase(std::uint32_t segment) {
  v_.segments.count_erase(segment);
  ++v_.stats.erases;
  last_erased_ = segment;
}

void SegmentPool::retire(std::uint32_t segment) {
  SegmentRow& row = v_.segments.row(segment);
  if (row.retired) return;
  row.retired = true;
  if (row.state == SegmentState::open) close(segment);
  v_.store->retired(segment);
  update_space();
}

void SegmentPool::mark_bad(std::uint32_t segment) {
  SegmentRow& row = v_.segments.row(segment);
  v_.store->marked_bad(segment);
  row.retired = true;
  row.erasing = false;
  v_.segments.set_state(segment, SegmentState::bad);
  row.used = 0;
  ++v_.stats.bad_segments;
  update_space();
}

void SegmentPool::close(std::uint32_t segment) {
  SegmentRow& row = v_.segments.row(segment);
  v_.segments.set_state(segment, SegmentState::sealed);
  row.used = static_cast<std::uint16_t>(v_.slots);
  for (std::uint32_t& active : v_.active)
    if (active == segment) active = kNone;
  v_.store->close(segment);
}

void SegmentPool::update_space() {
  std::uint32_t bad = 0;
  std::uint32_t failed = 0;
  for (const SegmentRow& row : v_.segments.rows()) {
    if (row.state == SegmentState::bad || (row.damaged && row.unreadable)) ++bad;
    // One bad from the factory was never erased.
    if (row.retired && row.erase_count > 0) ++failed;
  }
  v_.read_only = v_.halted || max_logical_pages(v_.config, v_.geometry, bad) < v_.config.logical_pages;
  v_.more_reserve = std::min(failed, kMaxMoreReserve);
  const auto fits = [&] {
    VolumeConfig config = v_.config;
    config.reserve_segments += v_.more_reserve;
    return max_logical_pages(config, v_.geometry, bad) >= v_.config.logical_pages;
  };
  while (v_.more_reserve > 0 && !fits()) --v_.more_reserve;
}

bool SegmentPool::any_failed() const {
  return std::ranges::any_of(v_.segments.rows(), [](const SegmentRow& row) { return row.retired; });
}

void SegmentPool::release_damaged() {
  for (std::uint32_t lpn = 0; lpn < v_.pages.size(); ++lpn)
    if (v_.lost.has(lpn)) return;
  for (std::uint32_t i = 0; i < v_.segments.segments(); ++i)
    if (v_.segments.row(i).damaged) v_.segments.mark_readable(i);
  update_space();
}

bool SegmentPool::give_up(std::uint32_t segment) {
  const SegmentRow& row = v_.segments.row(segment);
  const std::uint32_t slot = row.unreadable_slot;
  if (!row.unreadable || slot >= v_.slots || !v_.segments.is_valid(segment, slot)) return false;
  const std::uint32_t ppn = v_.segments.ppn(segment, slot);
  if (!v_.store->lose(ppn)) return false;
  v_.segments.drop_valid(segment, slot);
  v_.pages.unmap(v_.segments.lpn_at(ppn));
  v_.lost.add(v_.segments.lpn_at(ppn));
  return true;
}

bool SegmentPool::give_up_unreadable() {
  for (std::uint32_t id = 0; id < v_.segments.segments(); ++id)
    if (v_.segments.row(id).state == SegmentState::sealed && give_up(id)) return true;
  return false;
}

std::uint32_t SegmentPool::pop_last_erased() { return std::exchange(last_erased_, kNone); }

}  // namespace ftlab
