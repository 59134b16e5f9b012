#include "firmware/volume/cleaner.h"

#include <algorithm>

namespace ftlab {

FtlStatus Cleaner::make_room(StreamId stream) {
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

Appended<FtlStatus> Cleaner::append(StreamId stream, const PageMetadata& page, const std::byte* data) {
  for (;;) {
    Appended<FtlStatus> appended{make_room(stream)};
    if (appended.ok()) {
      const auto tried = frontier_.try_append(v_.active[stream], page, data);
      if (!tried) continue;  // the segment failed
      appended = *tried;
    }
    if (appended.status == FtlStatus::no_space && pool_.any_failed()) appended.status = FtlStatus::read_only;
    return appended;
  }
}

FtlStatus Cleaner::clean_to_reserve(StreamId stream) {
  // A refresh may allocate one free segment more than it releases: cleaning goes on after it.
  do {
    const FtlStatus status = clean_to_marks(stream);
    if (status != FtlStatus::ok) return status;
  } while (refresh_one());
  return FtlStatus::ok;
}

FtlStatus Cleaner::clean_to_marks(StreamId stream) {
  v_.waiting = stream;
  const FtlStatus status = clean_while_wanted(stream);
  v_.waiting = kNone;
  return status;
}

FtlStatus Cleaner::clean_while_wanted(StreamId stream) {
  for (;;) {
    const bool full = !frontier_.has_room(stream);
    if (!decisions_.goes_on(full, v_.segments.free_count(), marks_now())) break;
    const FtlStatus status = clean_some();
    if (status == FtlStatus::no_space) break;
    // An unreadable page keeps its segment from being a victim again: go on with another.
    if (status != FtlStatus::ok && status != FtlStatus::read_failed) return status;
  }
  return FtlStatus::ok;
}

void Cleaner::restore_reserve() {
  const std::uint32_t reserve = std::min(marks_.low, marks_.high) + v_.more_reserve;
  while (v_.segments.free_count() < reserve) {
    const FtlStatus status = clean_some();
    if (status != FtlStatus::ok && status != FtlStatus::read_failed) break;
  }
}

std::uint32_t Cleaner::choose_victim() {
  const std::uint32_t room = frontier_.room();
  auto victim = decisions_.pick_victim();
  // Power losses in the middle of cleanings can eat into the reserve: then only what fits can be cleaned.
  const bool fallback = victim && v_.segments.row(*victim).valid > room;
  if (fallback) victim = decisions_.pick_fewest_valid();
  if (!victim || v_.segments.row(*victim).valid > room) return kNone;
  if (fallback) ++v_.stats.victim_fallbacks;
  return *victim;
}

std::span<const std::uint32_t> Cleaner::choose_victims() {
  const std::uint32_t first = choose_victim();
  if (first == kNone || !decisions_.is_worth(first, v_.segments.free_count(), marks_now())) return {};
  victims_[0] = first;
  std::size_t count = 1;
  std::uint32_t copies = v_.segments.row(first).valid;
  while (count < marks_.at_once) {
    v_.segments.set_cleaning(victims_[count - 1], true);
    const auto next = decisions_.pick_victim();
    if (!next || !decisions_.is_worth(*next, v_.segments.free_count(), marks_now()) ||
        copies + v_.segments.row(*next).valid + v_.slots > frontier_.room())
      break;
    copies += v_.segments.row(*next).valid;
    victims_[count++] = *next;
  }
  for (const std::uint32_t victim : victims_.first(count))
    if (marks_.at_once > 1) v_.segments.set_cleaning(victim, false);
  return victims_.first(count);
}

std::span<PageMove> Cleaner::collect_moves(std::span<const std::uint32_t> victims) {
  std::size_t count = 0;
  for (const std::uint32_t victim : victims)
    v_.segments.for_each_valid(victim, [&](std::uint32_t slot) {
      moves_[count++] = {v_.segments.lpn_at(v_.segments.ppn(victim, slot)), static_cast<std::uint16_t>(slot), 0,
                         victim};
    });
  return moves_.first(count);
}

FtlStatus Cleaner::clean_some() {
  const CauseScope cause(v_.probe, Cause::clean);
  const std::span<const std::uint32_t> victims = choose_victims();
  return victims.empty() ? FtlStatus::no_space : clean(victims);
}

bool Cleaner::refresh_one() {
  if (!v_.refresh_wanted) return false;
  v_.refresh_wanted = false;
  std::uint32_t chosen = kNone;
  const std::uint32_t room = frontier_.room();
  for (std::uint32_t i = 0; i < v_.segments.segments(); ++i) {
    const SegmentRow& row = v_.segments.row(i);
    if (!row.refresh || row.unreadable || row.state == SegmentState::free || row.state == SegmentState::bad) continue;
    if (chosen == kNone && row.state == SegmentState::sealed && v_.segments.row(i).valid <= room)
      chosen = i;
    else
      v_.refresh_wanted = true;  // its turn comes once it is full, or there is room
  }
  if (chosen == kNone) return false;
  const CauseScope cause(v_.probe, Cause::refresh);
  if (clean({&chosen, 1}) == FtlStatus::ok) {
    ++v_.stats.refreshes;
    return true;
  }
  v_.refresh_wanted = true;
  return false;
}

FtlStatus Cleaner::clean(std::span<const std::uint32_t> victims) {
  const FtlStatus moved = move_all(victims);
  return moved == FtlStatus::ok ? release_all(victims) : moved;
}

FtlStatus Cleaner::move_all(std::span<const std::uint32_t> victims) {
  const std::span<PageMove> moves = collect_moves(victims);
  if (!moves.empty()) decisions_.plan(moves);
  for (const PageMove& move : moves)
    if (const FtlStatus status = move_page(move); status != FtlStatus::ok) return status;
  v_.probe.count(Work::page_copy, static_cast<std::uint32_t>(moves.size()));
  return FtlStatus::ok;
}

FtlStatus Cleaner::release_all(std::span<const std::uint32_t> victims) {
  FtlStatus status = FtlStatus::ok;
  for (const std::uint32_t victim : victims) {
    v_.probe.count(Work::segment_clean, 1);
    ++v_.stats.cleanings;
    const FtlStatus released = pool_.release(victim);
    if (status == FtlStatus::ok) status = released;
  }
  if (status == FtlStatus::ok) decisions_.cleaned();
  return status;
}

FlashStatus Cleaner::read_for_copy(std::uint32_t segment, std::uint32_t slot, PageMetadata& page,
                                   std::span<std::byte> into) {
  const std::uint32_t lpn = v_.segments.lpn_at(v_.segments.ppn(segment, slot));
  page = {lpn, v_.pages.updates(lpn), v_.pages.stamp(lpn), true};
  FlashStatus read = FlashStatus::uncorrectable;
  // Twice, because what is copied as unreadable stays so.
  for (int attempt = 0; attempt < 2 && is_media_failure(read); ++attempt) read = v_.store->read(segment, slot, 0, into);
  if (!is_media_failure(read)) return read;
  page.unreadable = v_.store->copies_unreadable();
  if (page.unreadable) return FlashStatus::ok;
  // Not chosen again, or cleaning and leveling would take turns without end.
  v_.segments.mark_unreadable(segment, slot);
  return read;
}

FtlStatus Cleaner::move_page(const PageMove& move) {
  PageMetadata page;
  const FlashStatus read = read_for_copy(move.segment, move.slot, page, v_.copy_buffer);
  // Given up where the copies so far took the last free segment, and only the erase gives it back.
  if (is_media_failure(read) && v_.segments.free_count() == 0 && pool_.give_up(move.segment)) return FtlStatus::ok;
  if (read != FlashStatus::ok) return is_media_failure(read) ? FtlStatus::read_failed : FtlStatus::write_failed;
  const auto copy = frontier_.append_anywhere(move.stream, page, v_.copy_buffer.data());
  if (!copy.ok()) return copy.status;
  drop_moved(move.segment, move.slot);
  v_.pages.move(Lpn{move.lpn}, Ppn{copy.ppn});
  ++v_.stats.pages_copied;
  return FtlStatus::ok;
}

void Cleaner::drop_moved(std::uint32_t segment, std::uint32_t slot) {
  v_.segments.drop_valid(segment, slot);
  v_.segments.row(segment).unvoided = true;
}

bool Cleaner::swap(std::uint32_t from, std::uint32_t to) {
  const StreamId stream = v_.segments.row(from).stream;
  if (const FlashStatus opened = frontier_.open_segment(to, stream, false); opened != FlashStatus::ok) {
    if (is_media_failure(opened))
      pool_.mark_bad(to);
    else
      v_.segments.push_free(to);
    return false;
  }
  bool all = true;
  for (const PageMove& page : collect_moves({&from, 1})) {
    // Retired by the copy before, which counts all the same.
    const bool open = v_.segments.row(to).state == SegmentState::open;
    all = open && copy_to(from, page.slot, to) == FtlStatus::ok;
    // What has moved stays where it is; the rest stays in the old place.
    if (!all) break;
  }
  pool_.close(to);
  if (all) (void)pool_.release(from);
  return all;
}

FtlStatus Cleaner::copy_to(std::uint32_t from_segment, std::uint32_t slot, std::uint32_t to_segment) {
  PageMetadata page;
  if (read_for_copy(from_segment, slot, page, v_.copy_buffer) != FlashStatus::ok) return FtlStatus::read_failed;
  const auto copy = frontier_.append_to(to_segment, page, v_.copy_buffer.data());
  if (!copy.ok()) {
    if (is_media_failure(copy.status)) pool_.retire(to_segment);
    return to_ftl(copy.status);
  }
  drop_moved(from_segment, slot);
  v_.pages.move(Lpn{page.lpn}, Ppn{copy.ppn});
  ++v_.stats.pages_swapped;
  v_.probe.count(Work::page_copy, 1);
  return FtlStatus::ok;
}

}  // namespace ftlab
