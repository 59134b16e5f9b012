#include "firmware/volume/log/log_found.h"

#include <algorithm>
#include <cstddef>

namespace ftlab::volume {

void LogFound::bad(std::uint32_t segment) {
  log_.segments_.set_state(segment, SegmentState::bad);
  ++log_.stats_.bad_segments;
}

void LogFound::row(std::uint32_t segment, const CheckpointRow& row) {
  log_.segments_.record(segment).erase_count = row.erases;
  log_.segments_.record(segment).stream = row.stream & ~kSlcStream;
  set_slc(segment, row.stream);
  log_.refreshes_.found_share(segment, row.reads);
}

void LogFound::history(std::uint64_t nth, const CheckpointHistory& history, std::uint64_t sequence) {
  if (!log_.has_histories()) {
    // Another layer may have written the checkpoint.
    if (history.updates == CheckpointHistory::kLifetime) log_.lifetime_ns_ = history.stamp() << Log::kLifetimeShift;
    if (history.updates == CheckpointHistory::kOpenings) log_.openings_ = history.stamp();
    return;
  }
  if (nth == 0) return log_.policies_.found_clock(history, number_of(sequence));
  const auto lpn = static_cast<std::uint32_t>(nth - 1);
  if (lpn < log_.pages())
    log_.policies_.found_page(lpn, history);
  else
    log_.policies_.found_opened(lpn - log_.pages(), history);
}

void LogFound::held(std::uint32_t segment) {
  log_.slc_.remove(segment);
  log_.segments_.set_state(segment, SegmentState::open);
  log_.found_used_[segment] = 0;
}

void LogFound::page(std::uint32_t lpn, std::uint32_t ppn, std::uint64_t sequence) {
  this->sequence(sequence);
  const std::uint32_t before = log_.map_[lpn];
  if (has_place(before)) log_.segments_.drop_valid(log_.segment_of(before));
  log_.map_[lpn] = ppn;
  log_.lpns_[ppn] = lpn;
  log_.segments_.add_valid(log_.segment_of(ppn));
  log_.slc_.found(log_.segment_of(ppn), sequence);
  log_.policies_.found(lpn, ppn, number_of(sequence));
}

void LogFound::segment(std::uint32_t segment, std::uint32_t used, std::uint32_t stream) {
  if (log_.segments_.state(segment) == SegmentState::bad || used == 0) return;
  log_.segments_.set_state(segment, SegmentState::open);
  set_slc(segment, stream);
  if (has_others(segment)) log_.slc_.remove(segment);
  // Where none is filled so any more, or it contradicts itself, it takes no more pages.
  if (!log_.slc_.has(segment) && (stream & kSlcStream) != 0) used = log_.pages_per_segment_;
  stream &= ~kSlcStream;
  log_.segments_.record(segment).stream = static_cast<std::uint8_t>(stream < log_.streams_ ? stream : 0);
  log_.found_used_[segment] = static_cast<std::uint16_t>(log_.slc_.next_in(segment, used));
}

bool LogFound::has_others(std::uint32_t segment) const {
  if (!log_.slc_.has(segment)) return false;
  for (std::uint32_t place = 0; place < log_.pages_per_segment_; ++place)
    if (!log_.slc_.places().has(place) && log_.is_mapped(segment * log_.pages_per_segment_ + place)) return true;
  return false;
}

void LogFound::set_slc(std::uint32_t segment, std::uint32_t stream) {
  log_.slc_.remove(segment);
  if (log_.slc_.on() && (stream & kSlcStream) != 0) log_.slc_.add(segment);
}

void LogFound::all(bool erased) {
  const FlashGeometry& geometry = log_.geometry_;
  open_again();
  for (std::uint32_t segment = 0; segment < geometry.segments; ++segment) {
    if (log_.found_used_[segment] == 0 || log_.is_open(segment)) continue;
    log_.found_used_[segment] = 0;
    // What looks partly written may be what an interrupted erase has left.
    if (log_.segments_.valid(segment) == 0)
      log_.segments_.set_state(segment, SegmentState::free);
    else
      log_.seal(segment);
  }
  leave_rest();
  for (std::uint32_t segment = 0; segment < geometry.segments; ++segment) {
    if (log_.segments_.state(segment) != SegmentState::free) continue;
    log_.flags_[segment].erased = erased;
    log_.free_segment(segment / log_.per_die_, segment);
  }
  // Nothing is under way that the erase of one would have to wait for.
  for (int epoch = 0; epoch < 2; ++epoch) log_.epochs_.advance();
  for (std::uint32_t die = 0; die < geometry.dies; ++die) {
    log_.dies_[die].recovers = log_.segments_.free().count(die) < log_.reserve_;
    while (in_use(die) < log_.config_.used_segments && log_.take_in(die)) {
    }
    log_.dies_[die].in_use = in_use(die);
  }
  if (log_.policies_.chosen()) log_.policies_.join(number_of(log_.sequence_));
}

std::uint32_t LogFound::count_of(std::uint32_t die, SegmentState state) const {
  const auto records = log_.segments_.records().subspan(std::size_t{die} * log_.per_die_, log_.per_die_);
  return static_cast<std::uint32_t>(std::ranges::count(records, state, &SegmentRecord::state));
}

std::uint32_t LogFound::in_use(std::uint32_t die) const {
  return count_of(die, SegmentState::open) + count_of(die, SegmentState::sealed) + count_of(die, SegmentState::free);
}

void LogFound::leave_rest() {
  if (log_.config_.used_segments == 0) return;
  const std::uint32_t needed =
      free_segments_of(log_.config_) + log_.streams_ + checkpoint_segments(log_.config_, log_.geometry_);
  for (std::uint32_t die = 0; die < log_.geometry_.dies; ++die) {
    // Some that hold pages may have failed, and have others in their place.
    const std::uint32_t free = count_of(die, SegmentState::free);
    std::uint32_t too_many =
        std::min(in_use(die) - std::min(in_use(die), log_.config_.used_segments), free - std::min(free, needed));
    for (std::uint32_t segment = (die + 1) * log_.per_die_; too_many > 0 && segment-- > die * log_.per_die_;) {
      if (log_.segments_.state(segment) != SegmentState::free) continue;
      log_.segments_.set_state(segment, SegmentState::fixed);
      --too_many;
    }
  }
}

void LogFound::open_again() {
  for (std::uint32_t segment = 0; segment < log_.geometry_.segments; ++segment) {
    const std::uint32_t used = log_.found_used_[segment];
    if (used == 0 || used == log_.pages_per_segment_ || log_.segments_.valid(segment) == 0) continue;
    // Of several the one with the most room, which the cleaning under way may have needed.
    OpenSegment& open = log_.segments_.open(segment / log_.per_die_, log_.segments_.stream(segment));
    if (open.segment == kNoSegment || log_.room_in({segment, used}) > log_.room_in(open)) open = {segment, used};
  }
}

std::uint32_t LogFound::victim_without_room(std::uint32_t die) const {
  const std::uint32_t victim = log_.emptiest(die);
  if (victim == kNoSegment || log_.segments_.free().count(die) > 0) return kNoSegment;
  std::uint32_t room = 0;
  for (std::uint32_t stream = 0; stream < log_.streams_; ++stream) {
    const OpenSegment& open = log_.segments_.open(die, stream);
    if (open.segment != kNoSegment) room += log_.room_in(open);
  }
  return room < log_.segments_.valid(victim) ? victim : kNoSegment;
}

}  // namespace ftlab::volume
