#include "firmware/volume/reclaim/cleaning.h"

#include <algorithm>

namespace ftlab::volume {

void Cleaning::layout(Arena& arena) {
  victims_by_valid_ = arena.take<std::uint64_t>(std::size_t{log_.pages_per_segment_} + 1);
  planned_.layout(arena);
}

void Cleaning::clear() {
  std::ranges::fill(victims_by_valid_, 0);
  pages_refreshed_ = 0;
  planned_.clear();
}

bool Cleaning::brings_room(std::uint32_t segment) const {
  const std::uint32_t valid = log_.segments_.valid(segment);
  return valid + std::min(valid, log_.copies_to_) * (log_.geometry_.pages_at_once - 1) < log_.pages_per_segment_;
}

std::uint32_t Cleaning::pick_victim(std::uint32_t die) {
  if (named_victim_ != kNoSegment) return named_victim_;
  const std::uint32_t victim = choose_victim(die);
  // Another cleaning would take it again, for ever.
  const bool all_slc = log_.config_.regions == VolumeConfig::Regions::slc;
  if (all_slc && victim != kNoSegment && log_.segments_.valid(victim) == log_.slc_.pages_in(victim)) return kNoSegment;
  if (log_.geometry_.pages_at_once == 1 || victim == kNoSegment || brings_room(victim)) return victim;
  const std::uint32_t other = log_.emptiest(die);
  if (other == kNoSegment || !brings_room(other)) return kNoSegment;
  // A selection by itself comes to that one in time; policies and pools may never.
  return log_.policies_.live() || log_.own_.pools() > 1 ? other : victim;
}

std::uint32_t Cleaning::choose_victim(std::uint32_t die) {
  // Another one than the victim of the cleaning that power loss stopped would need its room once more.
  if (log_.dies_[die].recovers) {
    if (log_.segments_.free().count(die) < log_.reserve_) return log_.emptiest(die);
    log_.dies_[die].recovers = false;
  }
  if (!log_.policies_.live()) return log_.own_.pick(die);
  if (falls_back(die)) return log_.emptiest(die);
  return log_.policies_.by_pools() ? log_.own_.pick(die) : log_.policies_.pick_victim(die);
}

bool Cleaning::clean_one(std::uint32_t die, bool wait) {
  std::uint32_t victim = pick_victim(die);
  while (victim == kNoSegment) {
    if (!wait || log_.dies_[die].settling == 0) return false;
    log_.submit_queued();
    in_flight_.take_next();
    victim = pick_victim(die);
  }
  // Where the die is short, or data has to move, there is no choice.
  const bool named = named_victim_ != kNoSegment;
  if (log_.policies_.live() && !named && !log_.is_short(die, true) && !log_.policies_.is_worth(victim)) return false;
  // What was queued before is booked under its own cause.
  log_.submit_queued();
  const CauseScope cause(log_.probe_, named ? named_cause_ : Cause::clean);
  const bool fell_back = !named && falls_back(die);
  const std::uint32_t group = log_.segments_.lists().group_of(victim);
  const std::span<const std::uint32_t> victims = planned_.victims_with(victim);
  for (const std::uint32_t one : victims) {
    log_.unseal(one);
    ++victims_by_valid_[log_.segments_.valid(one)];
    log_.own_.collected(one, group, log_.segments_.stream(one));
  }
  log_.probe_.count(Work::segment_compare, 1);
  const bool moved =
      moves_.copying([&] { return log_.policies_.live() ? planned_.move(victims) : moves_.move_pages(die, victim); });
  log_.submit_queued();
  if (!moved) {
    for (const std::uint32_t one : victims) log_.seal(one);
    return false;
  }
  log_.stats_.victim_fallbacks += fell_back ? 1 : 0;
  for (const std::uint32_t one : victims) {
    log_.release(die, one);
    ++log_.stats_.cleanings;
    log_.probe_.count(Work::segment_clean, 1);
  }
  if (const std::uint32_t next = log_.segments_.lists().lowest(group); next != kNoSegment) log_.expect_victim(next);
  if (log_.policies_.live()) planned_.level_wear(die);
  return true;
}

bool Cleaning::refresh_one() {
  // Copies use up the reserve and restore it.
  const std::uint32_t victim = log_.refreshes_.next([this](std::uint32_t segment) {
    return log_.segments_.listed(segment) && log_.segments_.free().count(segment / log_.per_die_) >= log_.reserve_;
  });
  if (victim == kNoSegment) return false;
  const std::uint64_t copied = log_.stats_.pages_copied;
  const bool moved = clean_named(victim, Cause::refresh);
  pages_refreshed_ += log_.stats_.pages_copied - copied;
  if (moved)
    ++log_.stats_.refreshes;
  else
    log_.refreshes_.put_off();
  return moved;
}

bool Cleaning::clean_named(std::uint32_t victim, Cause cause) {
  named_victim_ = victim;
  named_cause_ = cause;
  const bool moved = clean_one(victim / log_.per_die_, false);
  named_victim_ = kNoSegment;
  return moved;
}

std::uint32_t Cleaning::next_for_slc(std::uint32_t die) const {
  if (log_.segments_.free().count(die) < log_.reserve_) return kNoSegment;
  std::uint32_t best = kNoSegment;
  for (std::uint32_t segment = die * log_.per_die_; segment < (die + 1) * log_.per_die_; ++segment) {
    if (!log_.slc_.has(segment) || !log_.segments_.listed(segment)) continue;
    if (best == kNoSegment || log_.segments_.valid(segment) < log_.segments_.valid(best)) best = segment;
  }
  if (best != kNoSegment || log_.segments_.free().count(die) > log_.reserve_ + log_.slc_.most()) return best;
  best = log_.emptiest(die);
  const std::uint32_t worth = log_.pages_per_segment_ - log_.pages_per_segment_ / kWorthOneIn;
  return best != kNoSegment && log_.segments_.valid(best) <= worth && brings_room(best) ? best : kNoSegment;
}

bool Cleaning::is_slc_work_left() const {
  for (std::uint32_t die = 0; die < log_.geometry_.dies; ++die)
    if (next_for_slc(die) != kNoSegment) return true;
  return false;
}

bool Cleaning::clean_for_slc() {
  bool cleaned = false;
  for (std::uint32_t die = 0; log_.slc_.on() && die < log_.geometry_.dies; ++die) {
    const std::uint32_t victim = next_for_slc(die);
    if (victim == kNoSegment) continue;
    cleaned = clean_named(victim, log_.slc_.has(victim) ? Cause::migrate : Cause::clean) || cleaned;
  }
  return cleaned;
}

std::uint32_t Cleaning::allocate_segment(std::uint32_t die) {
  const CauseScope cause(log_.probe_, Cause::metadata);
  while (log_.segments_.free().count(die) <= log_.reserve_)
    if (!clean_one(die)) return kNoSegment;
  const std::uint32_t segment = moves_.take_free(die);
  if (segment == kNoSegment) return kNoSegment;
  log_.segments_.set_state(segment, SegmentState::open);
  if (!log_.flags_[segment].erased) log_.erase(segment, log_.stats_.log_erases);
  log_.flags_[segment].erased = false;
  ++log_.openings_;
  return segment;
}

}  // namespace ftlab::volume
