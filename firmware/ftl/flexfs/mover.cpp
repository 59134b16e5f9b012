// Copies, then releases.
#include "firmware/ftl/flexfs/mover.h"

#include <algorithm>

namespace ftlab::flexfs {

Cause Mover::cause_of(Reason reason) {
  if (reason == Reason::cleaning) return Cause::clean;
  return reason == Reason::leveling ? Cause::wear_level : Cause::migrate;
}

void Mover::make_room(Region& region) {
  if (s_.has_room(region) && s_.free_segments() >= kReserve) return;
  migrate_compulsory();
  if (region == Region::slc && s_.two_regions() && !s_.has_room(region) && s_.free_segments() <= kReserve)
    region = Region::mlc;
  while (s_.free_segments() < kReserve ||
         (!s_.has_room(region) && s_.free_segments() < std::max(s_.config.cleaning_free, kReserve + 1))) {
    const auto victim = pick_cleaning(s_.look(), s_.copy_region(), s_.slots(s_.copy_region()), 1);
    if (!victim || !run(*victim, Reason::cleaning)) return;
  }
}

void Mover::migrate_compulsory() {
  const std::uint32_t wanted = std::max(s_.config.compulsory_free, kReserve + 1);
  bool any = false;
  while (s_.config.mlc_region && s_.free_segments() < wanted) {
    const auto victim = pick_migration(s_.look(), *s_.migration_victim, true);
    if (!victim) return;
    if (!any) ++s_.flex.compulsory_runs;
    any = true;
    if (!run(*victim, Reason::compulsory)) return;
  }
}

bool Mover::run(std::uint32_t segment, Reason reason) {
  while (s_.segments.valid(segment) > 0) {
    if (reason == Reason::compulsory) pace();
    if (!move_first(segment, reason)) return false;
  }
  reclaim(segment, reason);
  return true;
}

void Mover::pace() {
  if (!s_.config.compulsory_paced || s_.clock == nullptr) return;
  const std::uint64_t now = s_.clock->now_ns();
  if (next_due_ns_ > now) s_.clock->sleep_until_ns(next_due_ns_);
  next_due_ns_ = std::max(next_due_ns_, now) + s_.config.trigger_ns;
}

bool Mover::move_first(std::uint32_t segment, Reason reason) {
  const std::uint32_t before = s_.segments.valid(segment);
  const bool room = s_.segments.move_one(segment, cause_of(reason));
  s_.volume.finish_all(cause_of(reason));
  // A copy that failed leaves the page where it was.
  if (!room || s_.segments.valid(segment) >= before) return false;
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
      break;
  }
  return true;
}

void Mover::reclaim(std::uint32_t segment, Reason reason) {
  s_.segments.reclaim(segment, cause_of(reason));
  s_.volume.finish_all(cause_of(reason));
}

bool Mover::choose_idle_job() {
  const auto begin = [&](std::uint32_t segment, Reason reason) {
    job_ = {segment, s_.segments.erases(segment), reason};
    return true;
  };
  const VictimView view = s_.look();
  std::uint32_t migrated = kNoSegment;
  std::uint32_t cleaned = kNoSegment;
  const bool wanted = s_.free_segments() < s_.config.cleaning_idle_free;
  if (s_.config.background_migration) migrated = pick_migration(view, *s_.migration_victim, false).value_or(kNoSegment);
  if (s_.config.background_cleaning) {
    const std::uint32_t slots = s_.slots(s_.copy_region());
    const std::uint32_t least = wanted ? std::min(s_.config.cleaning_idle_invalid, slots) : slots;
    cleaned = pick_cleaning(view, s_.copy_region(), slots, least).value_or(kNoSegment);
  }
  // Both give a segment; where they run short, the one with fewer pages to copy gives it for less idle time.
  const auto valid = [this](std::uint32_t segment) { return s_.segments.valid(segment); };
  if (wanted && migrated != kNoSegment && cleaned != kNoSegment && valid(cleaned) < valid(migrated))
    migrated = kNoSegment;
  if (migrated != kNoSegment) return begin(migrated, Reason::background);
  if (cleaned != kNoSegment) return begin(cleaned, Reason::cleaning);
  if (s_.config.level_gap != 0) {
    if (const auto victim = pick_leveling(view, s_.copy_region(), s_.config.level_gap))
      return begin(*victim, Reason::leveling);
  }
  return false;
}

bool Mover::is_same(const Job& job) const {
  return job.segment != kNoSegment && s_.segments.is_full(job.segment) && s_.segments.erases(job.segment) == job.erases;
}

bool Mover::step_idle() {
  if (!is_same(job_)) job_ = {};
  if (job_.segment == kNoSegment && !choose_idle_job()) return false;
  if (s_.segments.valid(job_.segment) > 0) {
    if (!s_.has_room(s_.copy_region()) && s_.free_segments() < kReserve) return false;
    const std::uint64_t start = s_.clock != nullptr ? s_.clock->now_ns() : 0;
    const bool moved = move_first(job_.segment, job_.reason);
    if (s_.clock != nullptr) s_.allocator.note_move(s_.clock->now_ns() - start);
    if (!moved) return false;
  }
  if (s_.segments.valid(job_.segment) > 0) return true;
  reclaim(job_.segment, job_.reason);
  job_ = {};
  return true;
}

}  // namespace ftlab::flexfs
