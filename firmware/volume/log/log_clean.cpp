// Cleaning: which victim, where its pages go, and whether there is a place without waiting for it.
#include <algorithm>

#include "firmware/volume/log/log.h"

namespace ftlab::volume {

std::uint32_t Log::emptiest(std::uint32_t die) const {
  std::uint32_t best = kNoSegment;
  for (std::uint32_t segment = die * per_die_; segment < (die + 1) * per_die_; ++segment) {
    if (!segments_.listed(segment) || segments_.valid(segment) == full_pages(segment)) continue;
    if (best == kNoSegment || segments_.valid(segment) < segments_.valid(best)) best = segment;
  }
  return best;
}

bool Log::brings_room(std::uint32_t segment) const {
  const std::uint32_t valid = segments_.valid(segment);
  return valid + std::min(valid, copies_to_) * (geometry_.pages_at_once - 1) < pages_per_segment_;
}

std::uint32_t Log::pick_victim(std::uint32_t die) {
  if (named_victim_ != kNoSegment) return named_victim_;
  const std::uint32_t victim = choose_victim(die);
  // Another cleaning would take it again, for ever.
  const bool all_slc = config_.regions == VolumeConfig::Regions::slc;
  if (all_slc && victim != kNoSegment && segments_.valid(victim) == slc_.pages_in(victim)) return kNoSegment;
  if (geometry_.pages_at_once == 1 || victim == kNoSegment || brings_room(victim)) return victim;
  const std::uint32_t other = emptiest(die);
  if (other == kNoSegment || !brings_room(other)) return kNoSegment;
  // A selection by itself comes to that one in time; policies and pools may never.
  return policies_.live() || own_.pools() > 1 ? other : victim;
}

std::uint32_t Log::choose_victim(std::uint32_t die) {
  // Another one than the victim of the cleaning that power loss stopped would need its room once more.
  if (dies_[die].recovers) {
    if (segments_.free().count(die) < reserve_) return emptiest(die);
    dies_[die].recovers = false;
  }
  if (!policies_.live()) return own_.pick(die);
  if (falls_back(die)) return emptiest(die);
  return policies_.by_pools() ? own_.pick(die) : policies_.pick_victim(die);
}

bool Log::has_room_at_once(std::uint32_t die) const {
  std::uint32_t segment = segments_.free().first(die);
  for (std::uint32_t i = 0; i < copies_to_; ++i, segment = segments_.free().next(segment))
    if (segment == kNoSegment || !is_ready(segment)) return false;
  return true;
}

bool Log::has_place_at_once(std::uint32_t die, std::uint32_t stream) {
  const bool none = open(die, stream).segment == kNoSegment;
  if (is_short(die, none)) return has_room_at_once(die);
  return !none || next_is_ready(die);
}

std::uint32_t Log::place_at_once(std::uint32_t die, std::uint32_t stream) {
  Open& open = this->open(die, stream);
  bool asks = open.segment == kNoSegment;
  for (;;) {
    const bool none = open.segment == kNoSegment;
    const bool is_needed = is_short(die, none);
    const bool is_kept = none && keeps_for_checkpoint(die);
    if (!is_needed && !is_kept && !(asks && is_wanted(die, stream, none))) break;
    const bool has_room = has_room_at_once(die);
    if (has_room && clean_one(die, false)) continue;
    if (is_needed && (!has_room || open.segment == kNoSegment || dies_[die].settling > 0)) return kUnmapped;
    if (is_needed) break;
    if (is_kept) return kUnmapped;
    asks = false;
  }
  if (open.segment == kNoSegment && (!next_is_ready(die) || !open_segment(die, open))) return kUnmapped;
  return take_place(die, open);
}

bool Log::clean_one(std::uint32_t die, bool wait) {
  std::uint32_t victim = pick_victim(die);
  while (victim == kNoSegment) {
    if (!wait || dies_[die].settling == 0) return false;
    submit_queued();
    reports_.take_next();
    victim = pick_victim(die);
  }
  // Where the die is short, or data has to move, there is no choice.
  const bool named = named_victim_ != kNoSegment;
  if (policies_.live() && !named && !is_short(die, true) && !policies_.is_worth(victim)) return false;
  // What was queued before is booked under its own cause.
  submit_queued();
  const CauseScope cause(probe_, named ? named_cause_ : Cause::clean);
  const bool fell_back = !named && falls_back(die);
  const std::uint32_t group = segments_.lists().group_of(victim);
  const std::span<const std::uint32_t> victims = planned_.victims_with(victim);
  for (const std::uint32_t one : victims) {
    unseal(one);
    ++victims_by_valid_[segments_.valid(one)];
    own_.collected(one, group, segments_.stream(one));
  }
  probe_.count(Work::segment_compare, 1);
  cleaning_ = true;
  const bool moved = policies_.live() ? planned_.move(victims) : move_pages(die, victim);
  cleaning_ = false;
  submit_queued();
  if (!moved) {
    for (const std::uint32_t one : victims) seal(one);
    return false;
  }
  stats_.victim_fallbacks += fell_back ? 1 : 0;
  for (const std::uint32_t one : victims) {
    release(die, one);
    ++stats_.cleanings;
    probe_.count(Work::segment_clean, 1);
  }
  if (const std::uint32_t next = segments_.lists().lowest_of(group); next != kNoSegment) expect_victim(next);
  if (policies_.live()) planned_.level_wear(die);
  return true;
}

std::uint32_t Log::copy_run(std::uint32_t segment, std::uint32_t from, Moved& moved) {
  // Locals, so that nothing written to the tables makes the rest to be read again.
  std::uint32_t* const map = map_.data();
  std::uint32_t* const lpns = lpns_.data();
  const std::uint32_t end = (segment + 1) * pages_per_segment_;
  const std::uint32_t stream = streams_ - 1;
  Open& open = this->open(segment / per_die_, stream);
  const std::uint32_t first = open.segment * pages_per_segment_ + open.used;
  const std::uint32_t full = (open.segment + 1) * pages_per_segment_;
  if (queue_.size() - queued_ < full - first) submit_queued();
  const std::uint32_t limit = std::min(full, first + static_cast<std::uint32_t>(queue_.size()));
  FlashOp* op = &queue_[queued_];
  std::uint32_t to = first;
  std::uint32_t before = named_before(first);
  for (; from < end && to < limit; ++from) {
    const std::uint32_t lpn = lpns[from];
    if (lpn == kUnmapped || map[lpn] != from) continue;
    *op++ = {FlashOpKind::copy,
             false,
             kTag,
             from,
             to,
             FlashOp::kNoBuffer,
             true,
             metadata_of(lpn, stream, sequence_ + (to - first) + 1, before)};
    before = lpn;
    map[lpn] = to;
    lpns[to] = lpn;
    ++to;
  }
  const std::uint32_t copied = to - first;
  if (copied == 0) return from;
  moved.pages += copied;
  stats_.pages_copied += copied;
  queued_ += copied;
  sequence_ += copied;
  segments_.lists().add_valid(open.segment, copied);
  open.used += copied;
  FlashOp& last = *(op - 1);
  if (to == full) {
    last.report = true;
    ++dies_[segment / per_die_].settling;
    open = {};
  }
  moved.reported = segments_.lists().drop_unlisted(segment, copied) == 0;
  if (moved.reported) {
    last.report = true;
    last.tag = kLastCopy;
  }
  return from;
}

bool Log::move_pages(std::uint32_t die, std::uint32_t segment) {
  const std::uint32_t first = segment * pages_per_segment_;
  const std::uint32_t end = first + pages_per_segment_;
  expect_moves(segment);
  Moved moved;
  bool room = true;
  const bool together = !own_.separates() && !policies_.live() && geometry_.pages_at_once == 1 &&
                        config_.regions != VolumeConfig::Regions::slc;
  for (std::uint32_t from = first; room && from < end;) {
    const std::uint32_t lpn = lpns_[from];
    if (lpn == kUnmapped || map_[lpn] != from) {
      ++from;
    } else if (together && open(die, streams_ - 1).segment != kNoSegment) {
      from = copy_run(segment, from, moved);
    } else {
      room = copy_page(segment, from, copy_stream(lpn, segment), moved);
      ++from;
    }
  }
  end_moving(segment, moved);
  return room;
}

void Log::end_moving(std::uint32_t segment, const Moved& moved) {
  // One that found no room for all is cleaned again, maybe before its copies have ended.
  flags_[segment].copying += moved.pages > 0 ? 1 : 0;
  copies_[segment] += moved.pages;
  slc_.count_moved(segment, moved.pages);
  pad_copies(segment / per_die_);
  work_.begin(segment / per_die_, moved.pages);
  // The die works in order: this ends after the copies that were queued.
  if (moved.pages > 0 && !moved.reported) queue({FlashOpKind::fence, true, kLastCopy, segment * pages_per_segment_});
  probe_.count(Work::page_copy, moved.pages);
}

bool Log::copy_page(std::uint32_t segment, std::uint32_t from, std::uint32_t stream, Moved& moved) {
  const std::uint32_t die = segment / per_die_;
  std::uint32_t to = place(die, stream, true);
  if (to == kUnmapped) {
    // Power losses have used up the reserve, and left what room there is to another stream.
    stream = roomiest(die);
    if (stream == streams_) return false;
    to = take_place(die, open(die, stream));
  }
  if (!geometry_.is_last_of_unit(to)) open(die, stream).has_copies = true;
  queue_copy(from, to, stream, moved);
  return true;
}

void Log::queue_copy(std::uint32_t from, std::uint32_t to, std::uint32_t stream, Moved& moved) {
  const std::uint32_t lpn = lpns_[from];
  // Another stream's program unit may end later.
  moved.reported = segments_.valid(segment_of(from)) == 1 && geometry_.pages_at_once == 1;
  ++moved.pages;
  queue({FlashOpKind::copy, moved.reported || is_last_place(to), moved.reported ? kLastCopy : kTag, from, to,
         FlashOp::kNoBuffer, true,
         metadata_of(lpn, slc_.named(segment_of(to), stream), ++sequence_, named_before(to))});
  ++stats_.pages_copied;
  map_[lpn] = to;
  lpns_[to] = lpn;
  segments_.drop_valid(segment_of(from));
}

bool Log::has_place_to_spare(std::uint32_t die, std::uint32_t stream) {
  const Open& open = this->open(die, stream);
  if (!is_short(die, open.segment == kNoSegment)) return true;
  // The cleaning that was interrupted goes on with the emptiest segment.
  const std::uint32_t victim = emptiest(die);
  if (open.segment == kNoSegment || victim == kNoSegment) return false;
  return segments_.valid(victim) + 2 * geometry_.pages_at_once <= room_in(open);
}

std::uint32_t Log::roomiest(std::uint32_t die) {
  std::uint32_t best = streams_;
  for (std::uint32_t stream = 0; stream < streams_; ++stream) {
    const Open& open = this->open(die, stream);
    if (open.segment == kNoSegment) continue;
    if (best == streams_ || room_in(open) > room_in(this->open(die, best))) best = stream;
  }
  return best;
}

bool Log::refresh_one() {
  // Copies use up the reserve and restore it.
  const std::uint32_t victim = refreshes_.next([this](std::uint32_t segment) {
    return segments_.listed(segment) && segments_.free().count(segment / per_die_) >= reserve_;
  });
  if (victim == kNoSegment) return false;
  const std::uint64_t copied = stats_.pages_copied;
  const bool moved = clean_named(victim, Cause::refresh);
  pages_refreshed_ += stats_.pages_copied - copied;
  if (moved)
    ++stats_.refreshes;
  else
    refreshes_.put_off();
  return moved;
}

bool Log::clean_named(std::uint32_t victim, Cause cause) {
  named_victim_ = victim;
  named_cause_ = cause;
  const bool moved = clean_one(victim / per_die_, false);
  named_victim_ = kNoSegment;
  return moved;
}

std::uint32_t Log::next_for_slc(std::uint32_t die) const {
  if (segments_.free().count(die) < reserve_) return kNoSegment;
  std::uint32_t best = kNoSegment;
  for (std::uint32_t segment = die * per_die_; segment < (die + 1) * per_die_; ++segment) {
    if (!slc_.has(segment) || !segments_.listed(segment)) continue;
    if (best == kNoSegment || segments_.valid(segment) < segments_.valid(best)) best = segment;
  }
  if (best != kNoSegment || segments_.free().count(die) > reserve_ + slc_.most()) return best;
  best = emptiest(die);
  const std::uint32_t worth = pages_per_segment_ - pages_per_segment_ / kWorthOneIn;
  return best != kNoSegment && segments_.valid(best) <= worth && brings_room(best) ? best : kNoSegment;
}

bool Log::is_slc_work_left() const {
  for (std::uint32_t die = 0; die < geometry_.dies; ++die)
    if (next_for_slc(die) != kNoSegment) return true;
  return false;
}

bool Log::clean_for_slc() {
  bool cleaned = false;
  for (std::uint32_t die = 0; slc_.on() && die < geometry_.dies; ++die) {
    const std::uint32_t victim = next_for_slc(die);
    if (victim == kNoSegment) continue;
    cleaned = clean_named(victim, slc_.has(victim) ? Cause::migrate : Cause::clean) || cleaned;
  }
  return cleaned;
}

void Log::release(std::uint32_t die, std::uint32_t segment) {
  refreshes_.moved(segment);
  if (!segments_.record(segment).retired) {
    segments_.count_next_erase(segment);
    if (policies_.live()) policies_.released(die);
    free_segment(die, segment);
    flags_[segment].due = geometry_.keeps_erased;
    due_ += geometry_.keeps_erased ? 1 : 0;
    return;
  }
  flags_[segment].leaving = true;
  segments_.set_state(segment, SegmentState::open);
  if (flags_[segment].copying == 0) leave(segment);
}

void Log::leave(std::uint32_t segment) {
  flags_[segment].leaving = false;
  if (segments_.valid(segment) > 0) return seal(segment);
  epochs_.advance();
  released_[segment] = epochs_.now();
  flags_[segment].empty = true;
  ++leaving_;
  mark_empty();
}

void Log::mark_empty() {
  for (std::uint32_t segment = 0; segment < geometry_.segments; ++segment) {
    // A program that failed there may have left its page whole: the same page has to be elsewhere first.
    if (!flags_[segment].empty || !epochs_.passed(released_[segment], 0)) continue;
    flags_[segment].empty = false;
    --leaving_;
    // Programs that had taken the place of its pages may have failed.
    if (segments_.valid(segment) > 0)
      seal(segment);
    else
      mark_bad(segment);
  }
}

void Log::free_segment(std::uint32_t die, std::uint32_t segment) {
  slc_.remove(segment);
  segments_.set_state(segment, SegmentState::free);
  // Copies may have failed by now.
  flags_[segment].regained = segments_.valid(segment) > 0;
  epochs_.advance();
  released_[segment] = epochs_.now();
  if (config_.free_choice == VolumeConfig::FreeChoice::longest_free) return segments_.free().put(die, segment);
  // As often as it will have been when it is used.
  const auto erases = [this](std::uint32_t free) { return segments_.erases(free) + (flags_[free].erased ? 0 : 1); };
  segments_.free().put_before(die, segment, [&](std::uint32_t other) { return erases(other) > erases(segment); });
}

bool Log::take_in(std::uint32_t die) {
  if (config_.used_segments == 0) return false;
  for (std::uint32_t segment = die * per_die_; segment < (die + 1) * per_die_; ++segment) {
    if (segments_.state(segment) != SegmentState::fixed || geometry_.is_unused(segment)) continue;
    free_segment(die, segment);
    // What it holds did not count any more when the volume was mounted.
    released_[segment] = epochs_.now() - 2;
    ++dies_[die].in_use;
    return true;
  }
  return false;
}

void Log::mark_bad(std::uint32_t segment) {
  slc_.remove(segment);
  segments_.set_state(segment, SegmentState::bad);
  ++stats_.bad_segments;
  --dies_[segment / per_die_].in_use;
  // The marker may erase it.
  if (flags_[segment].newest || keeps_trimmed_) return;
  queue({FlashOpKind::mark_bad, false, kTag, segment * pages_per_segment_});
}

CheckpointHistory Log::history(std::uint64_t nth) const {
  if (!has_histories() && nth == 0) return {CheckpointHistory::kLifetime, lifetime_ns_ >> kLifetimeShift};
  if (!has_histories()) return {CheckpointHistory::kOpenings, openings_};
  if (nth == 0) return policies_.clock_history();
  const auto lpn = static_cast<std::uint32_t>(nth - 1);
  return lpn < pages() ? policies_.page_history(lpn) : policies_.segment_history(lpn - pages());
}

CheckpointRow Log::row_of(std::uint32_t segment) const {
  CheckpointRow row;
  row.erases = segments_.erases(segment);
  row.stream = static_cast<std::uint8_t>(slc_.named(segment, segments_.stream(segment)));
  if (segments_.state(segment) != SegmentState::free) row.reads = refreshes_.share_of(segment);
  for (const Open& open : segments_.open())
    if (open.segment == segment) row.open_at = static_cast<std::uint16_t>(open.used);
  return row;
}

}  // namespace ftlab::volume
