#include "firmware/volume/reclaim/moves.h"

#include <algorithm>
#include <utility>

namespace ftlab::volume {

std::uint32_t Moves::first_ready(std::uint32_t die) const {
  std::uint32_t segment = log_.segments_.free().first(die);
  while (segment != kNoSegment && !log_.is_ready(segment)) segment = log_.segments_.free().next(segment);
  return segment;
}

bool Moves::open_segment(std::uint32_t die, OpenSegment& open) {
  // What was queued before is booked under its own cause. Without an erase it goes with what comes next.
  const std::uint32_t next = log_.segments_.free().first(die);
  if (!copying_ && next != kNoSegment && !log_.flags_[next].erased) log_.submit_queued();
  const CauseScope cause(log_.probe_, Cause::clean);
  const std::uint32_t segment = take_free(die);
  if (segment == kNoSegment) return false;
  if (open.segment != kNoSegment) {
    // Pages regained from failed copies were moved meanwhile, and opened one.
    log_.free_segment(die, segment);
    return true;
  }
  begin_segment(segment, static_cast<std::uint32_t>(&open - &log_.open(die, 0)));
  open = {segment, log_.slc_.next_in(segment, 0)};
  return true;
}

void Moves::begin_segment(std::uint32_t segment, std::uint32_t stream) {
  if (!log_.flags_[segment].erased) {
    // What cleaning has queued is booked under the same cause.
    if (!copying_) log_.submit_queued();
    log_.erase(segment, log_.stats_.erases);
    if (!copying_) log_.submit_queued();
  }
  log_.flags_[segment].erased = false;
  log_.segments_.record(segment).stream = static_cast<std::uint8_t>(stream);
  ++log_.openings_;
  if (is_for_slc(segment, stream)) log_.slc_.add(segment);
  if (log_.slc_.on()) log_.slc_.opened(segment, log_.sequence_ + 1);
  log_.own_.opened(segment);
  if (log_.policies_.live()) log_.policies_.opened(segment, log_.sequence_ + 1);
  log_.segments_.set_state(segment, SegmentState::open);
}

std::uint32_t Moves::take_free(std::uint32_t die) {
  for (std::uint32_t left = log_.segments_.free().count(die); left > 0 && log_.segments_.free().count(die) > 0;
       --left) {
    std::uint32_t segment = log_.segments_.free().first(die);
    while (log_.segments_.state(segment) == SegmentState::free && !log_.is_ready(segment)) {
      if (log_.never_ready(segment)) {
        segment = first_ready(die);
        if (segment == kNoSegment) return kNoSegment;
        break;
      }
      log_.submit_queued();
      in_flight_.take_next();
    }
    if (log_.segments_.state(segment) != SegmentState::free) continue;
    log_.take_off(die, segment);
    if (const std::uint32_t next = log_.segments_.free().first(die); next != kNoSegment) log_.expect_segment(next);
    if (!log_.flags_[segment].regained) return segment;
    // Its pages go first; then it waits for its turn again.
    const bool moved = copying([&] { return move_pages(die, segment); });
    log_.free_segment(die, segment);
    if (!moved) return kNoSegment;
  }
  return kNoSegment;
}

std::uint32_t Moves::copy_run(std::uint32_t segment, std::uint32_t from, MovedPages& moved) {
  // Locals, so that nothing written to the tables makes the rest to be read again.
  std::uint32_t* const map = log_.map_.data();
  std::uint32_t* const lpns = log_.lpns_.data();
  const std::uint32_t end = (segment + 1) * log_.pages_per_segment_;
  const std::uint32_t stream = log_.streams_ - 1;
  OpenSegment& open = log_.open(segment / log_.per_die_, stream);
  const std::uint32_t first = open.segment * log_.pages_per_segment_ + open.used;
  const std::uint32_t full = (open.segment + 1) * log_.pages_per_segment_;
  if (log_.queue_.size() - log_.queued_ < full - first) log_.submit_queued();
  const std::uint32_t limit = std::min(full, first + static_cast<std::uint32_t>(log_.queue_.size()));
  FlashOp* op = &log_.queue_[log_.queued_];
  const bool kept = log_.geometry_.keeps_metadata;
  std::uint32_t to = first;
  std::uint32_t before = log_.named_before(first);
  for (; from < end && to < limit; ++from) {
    const std::uint32_t lpn = lpns[from];
    if (lpn == kUnmapped || map[lpn] != from) continue;
    *op++ = {FlashOpKind::copy,
             false,
             Log::kTag,
             from,
             to,
             FlashOp::kNoBuffer,
             true,
             kept ? metadata_of(lpn, stream, log_.sequence_ + (to - first) + 1, before) : FlashMetadata{}};
    before = lpn;
    map[lpn] = to;
    lpns[to] = lpn;
    ++to;
  }
  const std::uint32_t copied = to - first;
  if (copied == 0) return from;
  moved.pages += copied;
  moved.places.add(first, copied);
  log_.stats_.pages_copied += copied;
  log_.queued_ += copied;
  log_.sequence_ += copied;
  log_.segments_.lists().add_valid(open.segment, copied);
  open.used += copied;
  FlashOp& last = *(op - 1);
  if (to == full) {
    last.report = true;
    ++log_.dies_[segment / log_.per_die_].settling;
    open = {};
  }
  moved.reported = log_.segments_.lists().drop_unlisted(segment, copied) == 0;
  if (moved.reported) {
    last.report = true;
    last.tag = Log::kLastCopy;
  }
  return from;
}

bool Moves::move_pages(std::uint32_t die, std::uint32_t segment) {
  const std::uint32_t first = segment * log_.pages_per_segment_;
  const std::uint32_t end = first + log_.pages_per_segment_;
  log_.expect_moves(segment);
  MovedPages moved;
  bool room = true;
  const bool together = !log_.own_.separates() && !log_.policies_.live() && log_.geometry_.pages_at_once == 1 &&
                        log_.config_.regions != VolumeConfig::Regions::slc;
  for (std::uint32_t from = first; room && from < end;) {
    const std::uint32_t lpn = log_.lpns_[from];
    if (lpn == kUnmapped || log_.map_[lpn] != from) {
      ++from;
    } else if (together && log_.open(die, log_.streams_ - 1).segment != kNoSegment) {
      from = copy_run(segment, from, moved);
    } else {
      room = copy_page(segment, from, copy_stream(lpn, segment), moved);
      ++from;
    }
  }
  end_moving(segment, moved);
  return room;
}

void Moves::end_moving(std::uint32_t segment, const MovedPages& moved) {
  // One that found no room for all is cleaned again, maybe before its copies have ended.
  log_.flags_[segment].copying += moved.pages > 0 ? 1 : 0;
  log_.flags_[segment].copies += moved.pages;
  if (moved.pages > 0) log_.begin_copying(segment, moved.places);
  log_.slc_.count_moved(segment, moved.pages);
  pad_copies(segment / log_.per_die_);
  log_.work_.begin(segment / log_.per_die_, moved.pages);
  // The die works in order: this ends after the copies that were queued.
  if (moved.pages > 0 && !moved.reported)
    log_.queue({FlashOpKind::fence, true, Log::kLastCopy, segment * log_.pages_per_segment_});
  log_.probe_.count(Work::page_copy, moved.pages);
}

bool Moves::copy_page(std::uint32_t segment, std::uint32_t from, std::uint32_t stream, MovedPages& moved) {
  const std::uint32_t die = segment / log_.per_die_;
  std::uint32_t to = place(die, stream);
  if (to == kUnmapped) {
    // Power losses have used up the reserve, and left what room there is to another stream.
    stream = roomiest(die);
    if (stream == log_.streams_) return false;
    to = log_.take_place(die, log_.open(die, stream));
  }
  if (!log_.geometry_.is_last_of_unit(to)) log_.open(die, stream).has_copies = true;
  queue_copy(from, to, stream, moved);
  return true;
}

void Moves::queue_copy(std::uint32_t from, std::uint32_t to, std::uint32_t stream, MovedPages& moved) {
  const std::uint32_t lpn = log_.lpns_[from];
  // Another stream's program unit may end later.
  moved.reported = log_.segments_.valid(log_.segment_of(from)) == 1 && log_.geometry_.pages_at_once == 1;
  ++moved.pages;
  moved.places.add(to, 1);
  log_.queue({FlashOpKind::copy, moved.reported || log_.is_last_place(to), moved.reported ? Log::kLastCopy : Log::kTag,
              from, to, FlashOp::kNoBuffer, true, log_.metadata_for(lpn, stream, to)});
  ++log_.stats_.pages_copied;
  log_.map_[lpn] = to;
  log_.lpns_[to] = lpn;
  log_.segments_.drop_valid(log_.segment_of(from));
}

void Moves::pad_copies(std::uint32_t die) {
  for (std::uint32_t stream = 0; stream < log_.streams_; ++stream)
    if (OpenSegment& open = log_.open(die, stream); open.has_copies) log_.pad(die, open);
}

bool Moves::has_place_to_spare(std::uint32_t die, std::uint32_t stream) {
  const OpenSegment& open = log_.open(die, stream);
  if (!log_.is_short(die, open.segment == kNoSegment)) return true;
  // The cleaning that was interrupted goes on with the emptiest segment.
  const std::uint32_t victim = log_.emptiest(die);
  if (open.segment == kNoSegment || victim == kNoSegment) return false;
  return log_.segments_.valid(victim) + 2 * log_.geometry_.pages_at_once <= log_.room_in(open);
}

std::uint32_t Moves::roomiest(std::uint32_t die) {
  std::uint32_t best = log_.streams_;
  for (std::uint32_t stream = 0; stream < log_.streams_; ++stream) {
    const OpenSegment& open = log_.open(die, stream);
    if (open.segment == kNoSegment) continue;
    if (best == log_.streams_ || log_.room_in(open) > log_.room_in(log_.open(die, best))) best = stream;
  }
  return best;
}

bool Moves::has_room_at_once(std::uint32_t die) const {
  std::uint32_t segment = log_.segments_.free().first(die);
  for (std::uint32_t i = 0; i < log_.copies_to_; ++i, segment = log_.segments_.free().next(segment))
    if (segment == kNoSegment || !log_.is_ready(segment)) return false;
  return true;
}

std::uint32_t Moves::place(std::uint32_t die, std::uint32_t stream) {
  OpenSegment& open = log_.open(die, stream);
  while (open.segment == kNoSegment)
    if (!open_segment(die, open)) return kUnmapped;
  return log_.take_place(die, open);
}

void Moves::move_whole(std::uint32_t from, std::uint32_t to) {
  const std::uint32_t die = from / log_.per_die_;
  const std::uint32_t stream = log_.segments_.stream(from);
  log_.take_off(die, to);
  log_.unseal(from);
  begin_segment(to, stream);
  OpenSegment open{to, 0};
  MovedPages moved;
  const std::uint32_t first = from * log_.pages_per_segment_;
  for (std::uint32_t place = first; place < first + log_.pages_per_segment_; ++place)
    if (log_.is_mapped(place)) queue_copy(place, log_.take_place(die, open), stream, moved);
  if (open.segment != kNoSegment) log_.close_segment(open);
  end_moving(from, moved);
  log_.count_swapped(moved.pages);
  log_.release(die, from);
}

std::span<std::uint32_t> Moves::move_found(std::span<std::uint32_t> ppns) {
  // First of all: a copy may go to one of these places, of which an old version was found, and is not copied from
  // there.
  const auto end = std::remove_if(ppns.begin(), ppns.end(), [this](std::uint32_t ppn) { return !log_.is_mapped(ppn); });
  ppns = ppns.first(static_cast<std::size_t>(end - ppns.begin()));
  std::size_t left = 0;
  std::uint32_t segment = kNoSegment;
  MovedPages moved;
  for (const std::uint32_t ppn : ppns) {
    if (log_.segment_of(ppn) != segment) {
      if (segment != kNoSegment) end_moving(segment, std::exchange(moved, {}));
      segment = log_.segment_of(ppn);
    }
    const std::uint32_t stream = copy_stream(log_.lpns_[ppn], segment);
    const bool is_copied = copying(
        [&] { return has_place_to_spare(segment / log_.per_die_, stream) && copy_page(segment, ppn, stream, moved); });
    if (!is_copied) ppns[left++] = ppn;
  }
  if (segment != kNoSegment) end_moving(segment, moved);
  return ppns.first(left);
}

}  // namespace ftlab::volume
