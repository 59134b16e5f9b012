// Copies, then releases.
#include "firmware/ftl/flexfs/mover.h"

#include <algorithm>

namespace ftlab::flexfs {

Cause Mover::cause_of(Reason reason) {
  if (reason == Reason::cleaning) return Cause::clean;
  if (reason == Reason::leveling) return Cause::wear_level;
  return reason == Reason::refresh ? Cause::refresh : Cause::migrate;
}

Appended<FtlStatus> Mover::append(Region& region, const LogPage& page, const std::byte* data) {
  for (;;) {
    if (const auto done = writer_.try_append(region, page, data)) return *done;
    // The segment failed. The next one must not come out of the reserve.
    const FtlStatus room = make_room(region);
    if (room != FtlStatus::ok) return {room};
  }
}

FtlStatus Mover::make_room(Region& region) {
  for (;;) {
    const FtlStatus cleaned = clean_for(region);
    if (cleaned == FtlStatus::no_space && give_up_unreadable()) continue;
    if (cleaned == FtlStatus::no_space && pool_.halt_when_full()) return FtlStatus::read_only;
    if (cleaned != FtlStatus::ok || s_.has_room(region)) return cleaned;
    if (s_.segments.free_count() <= kReserve) {
      if (give_up_unreadable()) continue;
      return FtlStatus::no_space;
    }
    const FtlStatus opened = writer_.open(region, kReserve);
    // no_space: those beyond the reserve failed; cleaning makes up for them.
    if (opened != FtlStatus::no_space) return opened;
  }
}

void Mover::give_up(std::uint32_t segment) {
  SegmentRow& row = s_.segments.row(segment);
  const std::uint32_t slot = row.unreadable_slot;
  const std::uint32_t lpn = s_.segments.lpn_at(s_.segments.ppn(segment, slot));
  s_.segments.drop_valid(segment, slot);
  s_.pages.unmap(lpn);
  s_.lost.add(lpn);
  // As with a trim a checkpoint comes before the erase; this one has the page as mapped without a copy.
  row.trimmed = true;
  s_.checkpoints.note_change();
}

bool Mover::give_up_unreadable() {
  for (std::uint32_t id = 0; id < s_.segments.segments(); ++id) {
    if (s_.segments.row(id).state != SegmentState::sealed || !s_.segments.row(id).unreadable) continue;
    give_up(id);
    return true;
  }
  return false;
}

FtlStatus Mover::clean_for(Region& region) {
  if (s_.has_room(region) && s_.segments.free_count() >= s_.reserve) return FtlStatus::ok;
  if (const auto urgent = pick_urgent(s_.view()); urgent && copies_find_room()) (void)run(*urgent, Reason::refresh);
  const FtlStatus migrated = migrate_compulsory();
  if (migrated != FtlStatus::ok) return migrated;
  if (region == Region::slc && s_.two_regions() && !s_.has_room(region) && s_.segments.free_count() <= kReserve)
    region = Region::mlc;
  while (s_.segments.free_count() < s_.reserve ||
         (!s_.has_room(region) && s_.segments.free_count() < std::max(s_.config.cleaning_free, s_.reserve + 1))) {
    const auto victim = pick_cleaning(s_.view(), s_.copy_region(), s_.slots(s_.copy_region()), 1);
    if (!victim) break;
    const FtlStatus cleaned = run(*victim, Reason::cleaning);
    if (cleaned != FtlStatus::ok && cleaned != FtlStatus::read_failed) return cleaned;
  }
  return FtlStatus::ok;
}

FtlStatus Mover::migrate_compulsory() {
  const std::uint32_t wanted = std::max(s_.config.compulsory_free, s_.reserve + 1);
  if (!s_.config.mlc_region || s_.segments.free_count() >= wanted) return FtlStatus::ok;
  bool any = false;
  while (s_.segments.free_count() < wanted) {
    const auto victim = pick_migration(s_.view(), *s_.migration_victim, true);
    if (!victim) break;
    if (!any) ++s_.flex.compulsory_runs;
    any = true;
    const FtlStatus status = run(*victim, Reason::compulsory);
    if (status != FtlStatus::ok && status != FtlStatus::read_failed) return status;
  }
  return FtlStatus::ok;
}

FtlStatus Mover::run(std::uint32_t segment, Reason reason) {
  while (s_.segments.row(segment).valid > 0) {
    if (reason == Reason::compulsory) pace();
    const FtlStatus status = move_first(segment, reason);
    if (status == FtlStatus::read_failed && s_.segments.free_count() < kReserve)
      give_up(segment);  // what has been copied took of the reserve, and only the erase gives that back
    else if (status != FtlStatus::ok)
      return status;
  }
  const CauseScope cause(s_.probe, cause_of(reason));
  return finish(segment);
}

void Mover::pace() {
  if (!s_.config.compulsory_paced || s_.clock == nullptr) return;
  const std::uint64_t now = s_.clock->now_ns();
  if (next_due_ns_ > now) s_.clock->sleep_until_ns(next_due_ns_);
  next_due_ns_ = std::max(next_due_ns_, now) + s_.config.trigger_ns;
}

FtlStatus Mover::move_first(std::uint32_t segment, Reason reason) {
  return move_slot(segment, s_.segments.first_valid(segment), reason);
}

FtlStatus Mover::move_slot(std::uint32_t segment, std::uint32_t slot, Reason reason) {
  const CauseScope cause(s_.probe, cause_of(reason));
  const FlashStatus read = s_.store.read(segment, slot, s_.copy_buffer).status;
  if (is_media_failure(read)) s_.segments.mark_unreadable(segment, slot);
  if (read != FlashStatus::ok) return is_media_failure(read) ? FtlStatus::read_failed : FtlStatus::write_failed;
  const std::uint32_t lpn = s_.segments.lpn_at(s_.segments.ppn(segment, slot));
  const LogPage page{lpn, s_.pages.updates(lpn), s_.pages.stamp(lpn), s_.files[lpn], true};
  const auto copy = writer_.append_copy(s_.copy_region(), page, s_.copy_buffer.data());
  if (!copy.ok()) return copy.status;
  s_.segments.drop_valid(segment, slot);
  s_.pages.move(Lpn{lpn}, Ppn{copy.ppn});
  s_.probe.count(Work::page_copy, 1);
  if (reason != Reason::leveling) ++s_.stats.pages_copied;
  switch (reason) {
    case Reason::compulsory:
      ++s_.flex.compulsory_pages;
      break;
    case Reason::background:
      ++s_.flex.background_pages;
      break;
    case Reason::cleaning:
      ++s_.flex.cleaned_pages;
      break;
    case Reason::leveling:
      ++s_.stats.pages_swapped;
      break;
    case Reason::refresh:
      ++s_.flex.refreshed_pages;
      break;
  }
  return FtlStatus::ok;
}

FtlStatus Mover::finish(std::uint32_t segment) {
  s_.probe.count(Work::segment_clean, 1);
  ++s_.stats.cleanings;
  return pool_.release(segment);
}

bool Mover::copies_find_room() const { return s_.has_room(s_.copy_region()) || s_.segments.free_count() >= kReserve; }

bool Mover::choose_idle_job() {
  const auto begin = [&](std::uint32_t segment, Reason reason) {
    job_ = {segment, s_.segments.row(segment).opened_sequence, reason};
    return true;
  };
  const VictimView view = s_.view();
  if (const auto urgent = pick_urgent(view)) return begin(*urgent, Reason::refresh);
  std::uint32_t migrated = kNone;
  std::uint32_t cleaned = kNone;
  const bool wanted = s_.segments.free_count() < s_.config.cleaning_idle_free;
  if (s_.config.background_migration) migrated = pick_migration(view, *s_.migration_victim, false).value_or(kNone);
  if (s_.config.background_cleaning) {
    const std::uint32_t slots = s_.slots(s_.copy_region());
    const std::uint32_t least = wanted ? std::min(s_.config.cleaning_idle_invalid, slots) : slots;
    cleaned = pick_cleaning(view, s_.copy_region(), slots, least).value_or(kNone);
  }
  // Both give a segment; where they run short, the one with fewer pages to copy gives it for less idle time.
  const auto valid = [this](std::uint32_t segment) { return s_.segments.row(segment).valid; };
  if (wanted && migrated != kNone && cleaned != kNone && valid(cleaned) < valid(migrated)) migrated = kNone;
  if (migrated != kNone) return begin(migrated, Reason::background);
  if (cleaned != kNone) return begin(cleaned, Reason::cleaning);
  if (s_.config.level_gap != 0) {
    if (const auto victim = pick_leveling(view, s_.copy_region(), s_.config.level_gap))
      return begin(*victim, Reason::leveling);
  }
  return false;
}

bool Mover::step_idle() {
  if (job_.segment != kNone) {
    const SegmentRow& row = s_.segments.row(job_.segment);
    const bool same =
        row.state == SegmentState::sealed && row.opened_sequence == job_.opened_sequence && !row.unreadable;
    if (!same) job_ = {};
  }
  if (job_.segment == kNone && !choose_idle_job()) return false;
  const SegmentRow& row = s_.segments.row(job_.segment);
  FtlStatus status = FtlStatus::ok;
  if (row.valid > 0) {
    if (!copies_find_room()) return false;
    const std::uint64_t start = s_.clock != nullptr ? s_.clock->now_ns() : 0;
    status = move_first(job_.segment, job_.reason);
    if (s_.clock != nullptr) s_.allocator.note_move(s_.clock->now_ns() - start);
    if (status == FtlStatus::read_failed) return true;
  }
  if (status == FtlStatus::ok && row.valid == 0) {
    const CauseScope cause(s_.probe, cause_of(job_.reason));
    status = finish(job_.segment);
    job_ = {};
  }
  return status == FtlStatus::ok;
}

bool Mover::can_be_moved(std::uint32_t segment) const {
  const SegmentRow& row = s_.segments.row(segment);
  if (row.retired) return copies_find_room();
  std::uint32_t room = s_.segments.free_count() * s_.slots(s_.copy_region());
  const std::uint32_t log = s_.log[index_of(s_.copy_region())];
  if (log != kNone) room += s_.slots(s_.copy_region()) - s_.segments.row(log).used;
  return row.valid <= room;
}

void Mover::reclaim_empty() {
  for (std::uint32_t id = 0; id < s_.segments.segments() && s_.segments.free_count() <= kReserve; ++id) {
    const SegmentRow& row = s_.segments.row(id);
    if (row.state != SegmentState::sealed || row.valid > 0 || row.retired) continue;
    if (pool_.release(id) != FtlStatus::ok) return;
  }
}

void Mover::move_urgent() {
  reclaim_empty();
  while (const auto urgent = pick_urgent(s_.view())) {
    if (!can_be_moved(*urgent)) return;
    const FtlStatus status = run(*urgent, Reason::refresh);
    if (status != FtlStatus::ok && status != FtlStatus::read_failed) return;
  }
}

void Mover::rescue_spoiled(std::uint32_t segment) {
  const CauseScope cause(s_.probe, Cause::refresh);
  // Slots beyond these are the moved copies.
  const std::uint32_t used = s_.segments.row(segment).used;
  bool worn = false;
  for (std::uint32_t slot = 0; slot < used; ++slot) {
    if (!s_.segments.is_valid(segment, slot)) continue;
    const nand::PageResult read = s_.store.read(segment, slot, s_.copy_buffer);
    if (read.status == FlashStatus::timeout) return;
    if (read.corrected_bits != kRecovered)
      worn = worn || read.needs_refresh;
    else if (move_slot(segment, slot, Reason::refresh) != FtlStatus::ok)
      return;
  }
  s_.segments.row(segment).refresh = worn;
}

}  // namespace ftlab::flexfs
