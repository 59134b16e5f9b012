#include "firmware/ftl/page/log.h"

#include <algorithm>
#include <bit>

namespace ftlab::page {
namespace {

/// Operations handed to the port together at most.
constexpr std::uint32_t kQueue = 512;

}  // namespace

Log::Log(ArrayPort& port, ProbePort& probe, Reports& reports, const PageConfig& config)
    : port_(port),
      probe_(probe),
      reports_(reports),
      config_(config),
      geometry_(port.geometry()),
      pages_per_segment_(geometry_.pages_per_segment),
      shift_(std::has_single_bit(pages_per_segment_) ? static_cast<std::uint32_t>(std::countr_zero(pages_per_segment_))
                                                     : 0),
      per_die_(geometry_.segments_per_die()),
      reserve_(reserve_of(config)) {
  const double window = config.window * per_die_;
  config_.window_segments = std::max(1U, static_cast<std::uint32_t>(window));
}

void Log::layout(Arena& arena) {
  const SelectionEntry* entry = find_selection(config_.selection);
  if (entry == nullptr) return;
  const std::uint32_t segments = geometry_.segments;
  map_ = arena.take<std::uint32_t>(config_.logical_pages);
  lpns_ = arena.take<std::uint32_t>(std::size_t{segments} * pages_per_segment_);
  next_free_ = arena.take<std::uint32_t>(segments);
  erases_ = arena.take<std::uint32_t>(segments);
  released_ = arena.take<std::uint32_t>(segments);
  flags_ = arena.take<Flags>(segments);
  open_ = arena.take<Open>(std::size_t{geometry_.dies} * streams());
  dies_ = arena.take<Die>(geometry_.dies);
  queue_ = arena.take<ArrayOp>(kQueue);
  segments_.layout(arena, {segments, geometry_.dies, entry->bins(pages_per_segment_), entry->sort_by_valid});
  selection_ = entry->make(arena, {segments_, config_, per_die_, pages_per_segment_, 1, geometry_.dies});
}

void Log::clear() {
  std::ranges::fill(map_, kUnmapped);
  std::ranges::fill(lpns_, kUnmapped);
  std::ranges::fill(erases_, 0);
  std::ranges::fill(flags_, Flags{});
  std::ranges::fill(open_, Open{});
  std::ranges::fill(dies_, Die{});
  segments_.clear();
  selection_->clear();
  queued_ = 0;
  turn_ = 0;
  sequence_ = 0;
  epochs_ = {};
  held_ = 0;
  stats_ = {};
}

void Log::queue(const ArrayOp& op) {
  if (queued_ == queue_.size()) submit_queued();
  queue_[queued_++] = op;
}

void Log::submit_queued() {
  if (queued_ == 0) return;
  port_.submit(queue_.first(queued_));
  queued_ = 0;
}

std::uint32_t Log::write(std::uint32_t lpn, std::uint16_t tag, std::uint16_t buffer) {
  std::uint32_t ppn = kUnmapped;
  // First those dies where nothing has to be waited for, so that one that cleans does not keep the others idle.
  for (std::uint32_t tried = 0; tried < 2 * geometry_.dies && ppn == kUnmapped; ++tried) {
    turn_ = turn_ + 1 == geometry_.dies ? 0 : turn_ + 1;
    ppn = place(turn_, kHost, tried >= geometry_.dies);
  }
  if (ppn == kUnmapped) return kUnmapped;
  if (has_place(map_[lpn])) segments_.drop_valid(segment_of(map_[lpn]));
  map_[lpn] = ppn;
  lpns_[ppn] = lpn;
  queue({ArrayOpKind::program, true, tag, ppn, ArrayOp::kNoPage, buffer, false, metadata_of(lpn, ++sequence_)});
  return ppn;
}

void Log::trim(std::uint32_t lpn) {
  if (has_place(map_[lpn])) segments_.drop_valid(segment_of(map_[lpn]));
  map_[lpn] = kUnmapped;
}

std::uint32_t Log::place(std::uint32_t die, std::uint32_t stream, bool wait) {
  Open& open = this->open(die, stream);
  while (open.segment == kNoSegment) {
    if (!wait && !next_is_ready(die)) return kUnmapped;
    // Cleaning uses up the reserve and gives it back; its copies may open this very segment.
    if (!cleaning_ && dies_[die].free <= reserve_) {
      if (!clean_one(die)) return kUnmapped;
    } else if (!open_segment(die, open)) {
      return kUnmapped;
    }
  }
  const std::uint32_t ppn = open.segment * pages_per_segment_ + open.used++;
  segments_.add_valid(open.segment);
  if (open.used == pages_per_segment_) {
    ++dies_[die].settling;
    open = {};
  }
  return ppn;
}

bool Log::open_segment(std::uint32_t die, Open& open) {
  const CauseScope cause(probe_, Cause::clean);
  const std::uint32_t segment = take_free(die);
  if (segment == kNoSegment) return false;
  if (open.segment != kNoSegment) {
    // Pages regained from failed copies were moved meanwhile, and opened one.
    free_segment(die, segment);
    return true;
  }
  flags_[segment].state = SegmentState::open;
  if (!flags_[segment].erased) {
    submit_queued();
    queue({ArrayOpKind::erase, false, kTag, segment * pages_per_segment_});
    submit_queued();
    ++erases_[segment];
    ++stats_.erases;
  }
  flags_[segment].erased = false;
  open = {segment, 0};
  return true;
}

void Log::settled(std::uint32_t segment) {
  const std::uint32_t die = segment / per_die_;
  --dies_[die].settling;
  flags_[segment].state = SegmentState::sealed;
  selection_->sealed(segment, die);
}

std::uint32_t Log::take_free(std::uint32_t die) {
  Die& d = dies_[die];
  for (std::uint32_t left = d.free; left > 0; --left) {
    const std::uint32_t segment = d.first_free;
    d.first_free = next_free_[segment];
    if (--d.free == 0) d.last_free = kNoSegment;
    while (!is_ready(segment)) {
      submit_queued();
      reports_.take_next();
    }
    if (!flags_[segment].regained) return segment;
    // Its pages go first; then it waits for its turn again.
    const bool before = cleaning_;
    cleaning_ = true;
    const bool moved = move_pages(die, segment);
    cleaning_ = before;
    free_segment(die, segment);
    if (!moved) return kNoSegment;
  }
  return kNoSegment;
}

bool Log::clean_one(std::uint32_t die) {
  while (segments_.valid_in(die) == std::uint64_t{segments_.listed_in(die)} * pages_per_segment_) {
    if (dies_[die].settling == 0) return false;
    submit_queued();
    reports_.take_next();
  }
  const CauseScope cause(probe_, Cause::clean);
  submit_queued();
  const std::uint32_t victim = selection_->pick(die);
  segments_.take(victim);
  selection_->taken(die);
  probe_.count(Work::segment_compare, 1);
  cleaning_ = true;
  const bool moved = move_pages(die, victim);
  cleaning_ = false;
  submit_queued();
  if (!moved) {
    selection_->sealed(victim, die);
    return false;
  }
  release(die, victim);
  ++stats_.cleanings;
  probe_.count(Work::segment_clean, 1);
  return true;
}

bool Log::move_pages(std::uint32_t die, std::uint32_t segment) {
  const std::uint32_t first = segment * pages_per_segment_;
  const auto lpns = lpns_.subspan(first, pages_per_segment_);
  for (const std::uint32_t lpn : lpns)
    if (lpn != kUnmapped) __builtin_prefetch(&map_[lpn], 1);
  std::uint32_t moved = 0;
  bool room = true;
  bool reported = true;
  for (std::uint32_t i = 0; i < pages_per_segment_; ++i) {
    const std::uint32_t lpn = lpns[i];
    if (lpn == kUnmapped || map_[lpn] != first + i) continue;
    const std::uint32_t to = place(die, copies(), true);
    room = to != kUnmapped;
    if (!room) break;
    reported = segments_.valid(segment) == 1;
    queue({ArrayOpKind::copy, reported || is_last_place(to), reported ? kLastCopy : kTag, first + i, to,
           ArrayOp::kNoBuffer, true, metadata_of(lpn, ++sequence_)});
    map_[lpn] = to;
    lpns_[to] = lpn;
    segments_.drop_valid(segment);
    ++moved;
  }
  flags_[segment].copying = moved > 0;
  // The die works in order: this ends after the copies that were queued.
  if (!reported) queue({ArrayOpKind::check_bad, true, kLastCopy, first});
  stats_.pages_copied += moved;
  probe_.count(Work::page_copy, moved);
  return room;
}

void Log::release(std::uint32_t die, std::uint32_t segment) {
  if (!flags_[segment].failed) return free_segment(die, segment);
  flags_[segment].leaving = true;
  flags_[segment].state = SegmentState::open;
  if (!flags_[segment].copying) leave(segment);
}

void Log::leave(std::uint32_t segment) {
  flags_[segment].leaving = false;
  if (segments_.valid(segment) == 0) return mark_bad(segment);
  flags_[segment].state = SegmentState::sealed;
  selection_->sealed(segment, segment / per_die_);
}

void Log::free_segment(std::uint32_t die, std::uint32_t segment) {
  flags_[segment].state = SegmentState::free;
  // Copies may have failed by now.
  flags_[segment].regained = segments_.valid(segment) > 0;
  epochs_.advance();
  released_[segment] = epochs_.now();
  Die& d = dies_[die];
  next_free_[segment] = kNoSegment;
  (d.last_free == kNoSegment ? d.first_free : next_free_[d.last_free]) = segment;
  d.last_free = segment;
  ++d.free;
}

void Log::mark_bad(std::uint32_t segment) {
  flags_[segment].state = SegmentState::bad;
  ++stats_.bad_segments;
  queue({ArrayOpKind::mark_bad, false, kTag, segment * pages_per_segment_});
}

void Log::copied(std::uint32_t segment) {
  flags_[segment].copying = false;
  if (flags_[segment].leaving) leave(segment);
}

void Log::copy_failed(std::uint32_t source, std::uint32_t target) {
  give_up(segment_of(target));
  const std::uint32_t lpn = lpns_[source];
  if (lpn == kUnmapped || map_[lpn] != target) return;
  segments_.drop_valid(segment_of(target));
  segments_.add_valid(segment_of(source));
  map_[lpn] = source;
  flags_[segment_of(source)].regained = flags_[segment_of(source)].state == SegmentState::free;
}

bool Log::program_failed(std::uint32_t lpn, std::uint32_t ppn) {
  give_up(segment_of(ppn));
  if (map_[lpn] != ppn) return false;
  segments_.drop_valid(segment_of(ppn));
  map_[lpn] = kLost;
  ++held_;
  return true;
}

void Log::erase_failed(std::uint32_t ppn) { give_up(segment_of(ppn)); }

void Log::give_up(std::uint32_t segment) {
  flags_[segment].failed = true;
  if (flags_[segment].state != SegmentState::open) return;
  const std::uint32_t die = segment / per_die_;
  for (std::uint32_t stream = 0; stream < streams(); ++stream) {
    Open& open = this->open(die, stream);
    if (open.segment != segment) continue;
    for (std::uint32_t i = open.used; i < pages_per_segment_; ++i) lpns_[segment * pages_per_segment_ + i] = kUnmapped;
    open = {};
    ++dies_[die].settling;
    // The die works in order: this ends after what was programmed there.
    queue({ArrayOpKind::check_bad, true, kSettled, segment * pages_per_segment_});
  }
}

void Log::found_bad(std::uint32_t segment) {
  flags_[segment].state = SegmentState::bad;
  ++stats_.bad_segments;
}

void Log::found_page(std::uint32_t lpn, std::uint32_t ppn, std::uint64_t sequence) {
  if (sequence > sequence_) sequence_ = sequence;
  if (has_place(map_[lpn])) segments_.drop_valid(segment_of(map_[lpn]));
  map_[lpn] = ppn;
  lpns_[ppn] = lpn;
  segments_.add_valid(segment_of(ppn));
}

void Log::found_segment(std::uint32_t segment, std::uint32_t used) {
  if (flags_[segment].state == SegmentState::bad || used == 0) return;
  const std::uint32_t die = segment / per_die_;
  flags_[segment].state = SegmentState::open;
  const Open found{segment, used};
  for (std::uint32_t stream = 0; used < pages_per_segment_ && stream < streams(); ++stream) {
    if (open(die, stream).segment != kNoSegment) continue;
    open(die, stream) = found;
    return;
  }
  ++dies_[die].settling;
  settled(segment);
}

void Log::found_all(bool erased) {
  for (std::uint32_t segment = 0; segment < geometry_.segments; ++segment) {
    const std::uint32_t die = segment / per_die_;
    if (flags_[segment].state == SegmentState::sealed && segments_.valid(segment) == 0) {
      segments_.take(segment);
      selection_->taken(die);
    } else if (flags_[segment].state != SegmentState::free) {
      continue;
    }
    flags_[segment].erased = erased;
    free_segment(die, segment);
  }
}

SegmentInfo Log::info(std::uint32_t segment) const {
  if (segment >= geometry_.segments) return {};
  std::uint32_t used = flags_[segment].state == SegmentState::sealed ? pages_per_segment_ : 0;
  for (const Open& open : open_)
    if (open.segment == segment) used = open.used;
  return {flags_[segment].state, erases_[segment], segments_.valid(segment), used, 0};
}

}  // namespace ftlab::page
