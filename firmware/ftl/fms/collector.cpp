// Reclaiming victims.
#include "firmware/ftl/fms/collector.h"

#include <algorithm>

namespace ftlab::fms {

FtlStatus Collector::make_room(StreamId stream) {
  // A segment that fails costs the reserve nothing: cleaning comes before the next one is taken.
  while (!frontier_.has_room(stream)) {
    const FtlStatus cleaned = clean_to_reserve(stream);
    if (cleaned != FtlStatus::ok) return cleaned;
    if (frontier_.has_room(stream)) break;
    if (frontier_.free_deferred()) continue;
    if (v_.segments.free_count() < 2 && pool_.give_up_unreadable()) continue;
    // The last one is for copies. With none at all, no log to write to and no victim nothing will ever become free.
    if (v_.segments.free_count() < 2) {
      const bool any_room = std::ranges::any_of(v_.active, [](std::uint32_t id) { return id != kNone; });
      if (v_.segments.free_count() == 0 && !any_room && choose_victim() == kNone) v_.read_only = v_.halted = true;
      return v_.read_only ? FtlStatus::read_only : FtlStatus::no_space;
    }
    const auto opened = frontier_.try_open(stream);
    if (opened && *opened != FtlStatus::ok) return *opened;
  }
  return FtlStatus::ok;
}

FtlStatus Collector::clean_to_reserve(StreamId stream) {
  // A refresh may take a free segment more than it gives back: cleaning goes on after it.
  do {
    const FtlStatus status = clean_to_marks(stream);
    if (status != FtlStatus::ok) return status;
  } while (refresh_one());
  return FtlStatus::ok;
}

FtlStatus Collector::clean_to_marks(StreamId stream) {
  for (;;) {
    const bool full = !frontier_.has_room(stream);
    const std::uint32_t free = v_.segments.free_count();
    if (full ? free > s_.config.low_water + v_.more_reserve : free >= s_.config.high_water + v_.more_reserve) break;
    const FtlStatus status = clean_one();
    if (status == FtlStatus::no_space) break;
    // An unreadable page keeps its segment from being a victim again: go on with another.
    if (status != FtlStatus::ok && status != FtlStatus::read_failed) return status;
  }
  return FtlStatus::ok;
}

void Collector::restore_reserve() {
  const std::uint32_t reserve = std::min(s_.config.low_water, s_.config.high_water) + v_.more_reserve;
  while (v_.segments.free_count() < reserve) {
    const FtlStatus status = clean_one();
    if (status != FtlStatus::ok && status != FtlStatus::read_failed) break;
  }
}

std::uint32_t Collector::choose_victim() {
  const CleaningView view = s_.view();
  const std::uint32_t room = frontier_.room();
  auto victim = s_.selection->pick(view);
  // Power losses in the middle of cleanings can eat into the reserve: then only what fits can be cleaned.
  if (victim && v_.segments.row(*victim).valid > room) victim = pick_greedy(view);
  if (!victim || v_.segments.row(*victim).valid > room) return kNone;
  return *victim;
}

void Collector::collect_moves(std::uint32_t victim) {
  move_count_ = 0;
  v_.segments.for_each_valid(victim, [&](std::uint32_t slot) {
    s_.moves[move_count_++] = {v_.segments.lpn_at(v_.segments.ppn(victim, slot)), static_cast<std::uint16_t>(slot),
                               kHot};
  });
}

FtlStatus Collector::clean_one() {
  const CauseScope cause(v_.probe, Cause::clean);
  const std::uint32_t victim = choose_victim();
  return victim == kNone ? FtlStatus::no_space : clean(victim);
}

bool Collector::refresh_one() {
  if (!v_.refresh_wanted) return false;
  v_.refresh_wanted = false;
  std::uint32_t chosen = kNone;
  const std::uint32_t room = frontier_.room();
  for (std::uint32_t i = 0; i < v_.segments.segments(); ++i) {
    const SegmentRow& row = v_.segments.row(i);
    if (!row.refresh || row.unreadable || row.state == SegmentState::free || row.state == SegmentState::bad) continue;
    if (chosen == kNone && row.state == SegmentState::sealed && row.valid <= room)
      chosen = i;
    else
      v_.refresh_wanted = true;  // its turn comes once it is full, or there is room
  }
  if (chosen == kNone) return false;
  const CauseScope cause(v_.probe, Cause::refresh);
  if (clean(chosen) == FtlStatus::ok) return true;
  v_.refresh_wanted = true;
  return false;
}

FtlStatus Collector::clean(std::uint32_t victim) {
  collect_moves(victim);
  const std::span<PageMove> moves = s_.moves.first(move_count_);
  if (!moves.empty()) {
    s_.redistribution->plan(s_.view(), victim, moves);
    const bool keep_apart = v_.segments.row(victim).stream == kReadOnly && uses_stream(s_.config, kReadOnly);
    for (const PageMove& move : moves) {
      const FtlStatus status = move_page(victim, {move.lpn, move.slot, keep_apart ? kReadOnly : move.stream});
      // The copies so far took the last free segment, and only the erase gives it back.
      if (status == FtlStatus::read_failed && v_.segments.free_count() == 0 && pool_.give_up(victim)) continue;
      if (status != FtlStatus::ok) return status;
    }
  }
  v_.probe.count(Work::page_copy, move_count_);
  v_.probe.count(Work::segment_clean, 1);
  ++v_.stats.cleanings;
  const FtlStatus given_back = pool_.release(victim);
  if (given_back != FtlStatus::ok) return given_back;
  level_wear();
  return FtlStatus::ok;
}

FlashStatus Collector::read_for_copy(std::uint32_t segment, std::uint32_t slot, PageMetadata& page) {
  const std::uint32_t lpn = v_.segments.lpn_at(v_.segments.ppn(segment, slot));
  page = {lpn, v_.pages.updates(lpn), v_.pages.stamp(lpn), true};
  FlashStatus read = FlashStatus::uncorrectable;
  // Twice, because what is copied as unreadable stays so.
  for (int attempt = 0; attempt < 2 && is_media_failure(read); ++attempt)
    read = v_.store->read(segment, slot, 0, v_.copy_buffer.data(), v_.config.page_bytes);
  if (!is_media_failure(read)) return read;
  page.unreadable = v_.store->copies_unreadable();
  if (page.unreadable) return FlashStatus::ok;
  // Not chosen again, or cleaning and leveling would take turns without end.
  v_.segments.mark_unreadable(segment, slot);
  return read;
}

FtlStatus Collector::move_page(std::uint32_t victim, const PageMove& move) {
  PageMetadata page;
  const FlashStatus read = read_for_copy(victim, move.slot, page);
  if (read != FlashStatus::ok) return is_media_failure(read) ? FtlStatus::read_failed : FtlStatus::write_failed;
  std::uint32_t ppn = kUnmapped;
  const FtlStatus status = frontier_.append_anywhere(move.stream, page, v_.copy_buffer.data(), ppn);
  if (status != FtlStatus::ok) return status;
  v_.segments.drop_valid(victim, move.slot);
  v_.pages.move(move.lpn, ppn);
  ++v_.stats.pages_copied;
  return FtlStatus::ok;
}

void Collector::level_wear() {
  if (pool_.pop_last_erased() == kNone || v_.read_only) return;
  WearLimits limits{s_.config.swap_from, s_.config.swap_gap};
  if (limits.from_count == 0)
    limits.from_count = static_cast<std::uint32_t>(v_.geometry.rated_erase_cycles * s_.config.swap_start_ppm / 1'000'000);
  const auto move = s_.wear_leveling->pick(s_.view(), limits);
  // The last free one is for copies: this one stays half filled when the move fails.
  if (!move || move->to == v_.replaced.deferred_victim || v_.usable_free() < 2) return;
  if (v_.replaced.ppn != kUnmapped && v_.segments.segment_of(v_.replaced.ppn) == move->from) return;

  const CauseScope cause(v_.probe, Cause::wear_level);
  v_.segments.remove_free(move->to);
  const StreamId stream = v_.segments.row(move->from).stream;
  if (const FlashStatus opened = frontier_.open_segment(move->to, stream, false); opened != FlashStatus::ok) {
    if (is_media_failure(opened))
      pool_.mark_bad(move->to);
    else
      v_.segments.push_free(move->to);
    return;
  }
  collect_moves(move->from);
  for (const PageMove& page : s_.moves.first(move_count_)) {
    // Retired by the copy before, which counts all the same.
    const bool open = v_.segments.row(move->to).state == SegmentState::open;
    if (open && copy_to(move->from, page.slot, move->to) == FtlStatus::ok) continue;
    // What has moved stays where it is; the rest stays in the old place.
    pool_.close(move->to);
    return;
  }
  pool_.close(move->to);
  (void)pool_.release(move->from);
  (void)pool_.pop_last_erased();
}

FtlStatus Collector::copy_to(std::uint32_t from_segment, std::uint32_t slot, std::uint32_t to_segment) {
  PageMetadata page;
  if (read_for_copy(from_segment, slot, page) != FlashStatus::ok) return FtlStatus::read_failed;
  std::uint32_t ppn = kUnmapped;
  const FlashStatus status = frontier_.append_to(to_segment, page, v_.copy_buffer.data(), ppn);
  if (status != FlashStatus::ok) {
    if (is_media_failure(status)) pool_.retire(to_segment);
    return to_ftl(status);
  }
  v_.segments.drop_valid(from_segment, slot);
  v_.pages.move(page.lpn, ppn);
  ++v_.stats.pages_swapped;
  return FtlStatus::ok;
}

}  // namespace ftlab::fms
