// What has ended, and what becomes of its segment: full, free, given up or bad.
#include <algorithm>

#include "firmware/volume/log/log.h"

namespace ftlab::volume {

void Log::settled(std::uint32_t segment) {
  const std::uint32_t die = segment / per_die_;
  --dies_[die].settling;
  seal(segment);
}

void Log::seal(std::uint32_t segment) {
  segments_.set_state(segment, SegmentState::sealed);
  own_.sealed(segment, group_of(segment));
  refreshes_.sealed(segment);
}

void Log::unseal(std::uint32_t segment) {
  const std::uint32_t bin = segments_.lists().bin_of(segment);
  segments_.lists().take(segment);
  own_.taken(segments_.lists().group_of(segment), bin);
}

void Log::take_off(std::uint32_t die, std::uint32_t segment) {
  segments_.free().take(die, segment);
  no_longer_due(segment);
}

void Log::copied(std::uint32_t segment) {
  if (--flags_[segment].copying > 0) return;
  for (Die::Copied& copied : dies_[segment / per_die_].copied) {
    if (copied.segment != segment) continue;
    copied.segment = kNoSegment;
    --known_copied_;
  }
  work_.end(segment / per_die_, flags_[segment].copies);
  flags_[segment].copies = 0;
  if (flags_[segment].leaving) leave(segment);
}

void Log::begin_copying(std::uint32_t segment, const CopyPlaces& places) {
  auto& copied = dies_[segment / per_die_].copied;
  // What is left of one that is cleaned again may have gone anywhere.
  const auto same = std::ranges::find(copied, segment, &Die::Copied::segment);
  const auto unused = std::ranges::find(copied, kNoSegment, &Die::Copied::segment);
  if (flags_[segment].copying == 1 && unused != std::end(copied)) {
    *unused = {segment, places};
    ++known_copied_;
  } else if (same != std::end(copied)) {
    same->segment = kNoSegment;
    --known_copied_;
  }
}

std::uint32_t Log::source_of(std::uint32_t lpn, std::uint32_t ppn) const {
  for (const Die::Copied& copied : dies_[segment_of(ppn) / per_die_].copied) {
    if (copied.segment == kNoSegment || !copied.to.have(ppn)) continue;
    // Of several versions any may be the one that was copied, since the last one may have failed.
    const auto places = lpns_.subspan(std::size_t{copied.segment} * pages_per_segment_, pages_per_segment_);
    const auto found = std::ranges::find(places, lpn);
    if (found == places.end() || std::find(found + 1, places.end(), lpn) != places.end()) return ppn;
    return copied.segment * pages_per_segment_ + static_cast<std::uint32_t>(found - places.begin());
  }
  return ppn;
}

void Log::copy_failed(std::uint32_t source, std::uint32_t target) {
  give_up(segment_of(target));
  const std::uint32_t lpn = lpns_[source];
  if (lpn == kUnmapped) return;
  if (map_[lpn] != target) return keep(source);
  flags_[segment_of(target)].newest = true;
  segments_.drop_valid(segment_of(target));
  put_back(lpn, source);
}

bool Log::program_failed(std::uint32_t lpn, std::uint32_t ppn, std::uint32_t before, bool trims) {
  give_up(segment_of(ppn));
  if (map_[lpn] != ppn) {
    if (has_place(before)) keep(before);
    return false;
  }
  segments_.drop_valid(segment_of(ppn));
  map_[lpn] = before;
  if (has_place(before)) put_back(lpn, before);
  if (policies_.live() && !has_place(before)) policies_.unmapped(lpn);
  ++(trims ? held_trims_ : held_);
  return true;
}

void Log::put_back(std::uint32_t lpn, std::uint32_t ppn) {
  const std::uint32_t segment = segment_of(ppn);
  segments_.add_valid(segment);
  map_[lpn] = ppn;
  flags_[segment].regained = segments_.state(segment) == SegmentState::free;
}

void Log::keep(std::uint32_t ppn) {
  epochs_.advance();
  flags_[segment_of(ppn)].released = epochs_.now();
}

void Log::erase_failed(std::uint32_t ppn) {
  const std::uint32_t segment = segment_of(ppn);
  flags_[segment].erased = false;
  give_up(segment);
  // Erased before its turn.
  if (segments_.state(segment) != SegmentState::free) return;
  take_off(segment / per_die_, segment);
  segments_.set_state(segment, SegmentState::open);
  leave(segment);
}

void Log::give_up(std::uint32_t segment) {
  // Before its pages have moved: others may fail meanwhile, and then what is free runs out.
  if (!segments_.record(segment).retired) (void)take_in(segment / per_die_);
  segments_.record(segment).retired = true;
  has_failures_ = true;
  if (segments_.state(segment) != SegmentState::open) return;
  const std::uint32_t die = segment / per_die_;
  for (std::uint32_t stream = 0; stream < streams_; ++stream) {
    Open& open = this->open(die, stream);
    if (open.segment == segment) close_segment(open);
  }
}

void Log::close_segment(Open& open) {
  pad(open.segment / per_die_, open);
  if (open.segment == kNoSegment) return;
  const std::uint32_t first = open.segment * pages_per_segment_;
  for (std::uint32_t i = open.used; i < pages_per_segment_; ++i) lpns_[first + i] = kUnmapped;
  ++dies_[open.segment / per_die_].settling;
  open = {};
  // The die works in order: this ends after what was programmed there.
  queue({FlashOpKind::fence, true, kSettled, first});
}

void Log::release(std::uint32_t die, std::uint32_t segment) {
  refreshes_.moved(segment);
  if (!segments_.record(segment).retired) {
    if (policies_.live()) policies_.released(segment);
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
  flags_[segment].released = epochs_.now();
  flags_[segment].empty = true;
  ++leaving_;
  mark_empty();
}

void Log::mark_empty() {
  for (std::uint32_t segment = 0; segment < geometry_.segments; ++segment) {
    // A program that failed there may have left its page whole: the same page has to be elsewhere first.
    if (!flags_[segment].empty || !epochs_.passed(flags_[segment].released, 0)) continue;
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
  flags_[segment].released = epochs_.now();
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
    flags_[segment].released = epochs_.now() - 2;
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

}  // namespace ftlab::volume
