#include "firmware/volume/log/log.h"

#include <algorithm>
#include <bit>

namespace ftlab::volume {
namespace {

/// Operations handed to the port together at most.
constexpr std::uint32_t kQueue = 512;

}  // namespace

Log::Log(FlashPort& port, ProbePort& probe, Reports& reports, const VolumeConfig& config)
    : port_(port),
      probe_(probe),
      reports_(reports),
      config_(config),
      geometry_(port.geometry()),
      pages_per_segment_(geometry_.pages_per_segment),
      shift_(std::has_single_bit(pages_per_segment_) ? static_cast<std::uint32_t>(std::countr_zero(pages_per_segment_))
                                                     : 0),
      per_die_(geometry_.segments_per_die()),
      reserve_(reserve_of(config)),
      kept_for_checkpoint_(geometry_.dies > 1 ? checkpoint_segments(config, geometry_) / 2 : 0),
      slc_(geometry_, config),
      refreshes_(geometry_),
      own_(segments_.lists(), config_, geometry_),
      policies_(probe, geometry_, segments_, config.policies) {}

void Log::layout(Arena& arena) {
  own_.layout(arena);
  streams_ = streams_of(config_);
  copies_to_ = copy_streams_of(config_);
  const std::uint32_t segments = geometry_.segments;
  map_ = arena.take<std::uint32_t>(config_.logical_pages);
  lpns_ = arena.take<std::uint32_t>(std::size_t{segments} * pages_per_segment_);
  released_ = arena.take<std::uint32_t>(segments);
  copies_ = arena.take<std::uint32_t>(segments);
  flags_ = arena.take<Flags>(segments);
  found_used_ = arena.take<std::uint16_t>(segments);
  victims_by_valid_ = arena.take<std::uint64_t>(std::size_t{pages_per_segment_} + 1);
  segments_.layout(arena, {segments, pages_per_segment_, geometry_.dies, streams_});
  dies_ = arena.take<Die>(geometry_.dies);
  queue_ = arena.take<FlashOp>(kQueue);
  work_.layout(arena, geometry_.dies);
  unit_dies_ = arena.take<std::uint32_t>(streams_);
  refreshes_.layout(arena, segments);
  slc_.layout(arena);
  policies_.layout(arena, config_.logical_pages, map_);
  planned_.layout(arena);
}

void Log::clear() {
  std::ranges::fill(map_, kUnmapped);
  std::ranges::fill(lpns_, kUnmapped);
  std::ranges::fill(flags_, Flags{});
  std::ranges::fill(victims_by_valid_, 0);
  std::ranges::fill(dies_, Die{});
  std::ranges::fill(copies_, 0);
  std::ranges::fill(found_used_, 0);
  work_.clear();
  std::ranges::fill(unit_dies_, 0);
  waiting_ = 0;
  segments_.clear();
  slc_.clear();
  refreshes_.clear();
  own_.clear();
  policies_.clear();
  planned_.clear();
  queued_ = 0;
  turn_ = 0;
  sequence_ = lifetime_ns_ = openings_ = pages_refreshed_ = 0;
  epochs_ = {};
  held_ = held_trims_ = 0;
  leaving_ = due_ = erasing_ = 0;
  has_failures_ = keeps_trimmed_ = false;
  stats_ = {};
}

void Log::submit_queued() {
  if (queued_ == 0) return;
  port_.submit(queue_.first(queued_));
  queued_ = 0;
}

void Log::submit_before_wait() {
  submit_queued();
  if (waiting_ == 0 || work_.all() != waiting_) return;
  const CauseScope cause(probe_, Cause::host);
  for (Open& open : segments_.open())
    if (open.host_pages > 0) pad(open.segment / per_die_, open);
  submit_queued();
}

std::uint32_t Log::place_in_begun_unit(std::uint32_t stream) {
  const std::uint32_t die = unit_dies_[stream];
  Open& open = this->open(die, stream);
  if (open.host_pages == 0) return kUnmapped;
  turn_ = die;
  return take_place(die, open);
}

void Log::begin_to_wait(std::uint32_t ppn, std::uint32_t stream) {
  const std::uint32_t die = segment_of(ppn) / per_die_;
  ++open(die, stream).host_pages;
  ++waiting_;
  unit_dies_[stream] = die;
}

void Log::pad(std::uint32_t die, Open& open) {
  const std::uint32_t segment = open.segment;
  while (open.segment != kNoSegment && (open.used & (geometry_.pages_at_once - 1)) != 0) {
    const std::uint32_t ppn = take_place(die, open);
    segments_.drop_valid(segment_of(ppn));
    lpns_[ppn] = kUnmapped;
    ++stats_.pages_padded;
    queue({FlashOpKind::program, is_last_place(ppn), kTag, ppn, FlashOp::kNoPage, FlashOp::kNoBuffer, false,
           metadata_of(kPaddingLpn, slc_.named(segment, segments_.stream(segment)), ++sequence_, named_before(ppn))});
  }
}

void Log::pad_copies(std::uint32_t die) {
  for (std::uint32_t stream = 0; stream < streams_; ++stream)
    if (Open& open = this->open(die, stream); open.has_copies) pad(die, open);
}

std::uint32_t Log::host_stream(std::uint32_t lpn, std::uint32_t data_class, bool read_only) {
  own_.tick();
  std::uint32_t separated = 0;
  if (own_.separates()) {
    const bool mapped = has_place(map_[lpn]);
    separated = own_.host_stream(lpn, data_class, mapped, mapped ? segments_.stream(segment_of(map_[lpn])) : 0);
  }
  if (policies_.live()) return policies_.host_stream(lpn, map_[lpn], read_only, separated);
  if (own_.separates()) return separated;
  return config_.regions == VolumeConfig::Regions::slc_and_mlc ? data_class : 0;
}

std::uint32_t Log::write(std::uint32_t lpn, std::uint32_t data_class, std::uint16_t tag, std::uint16_t buffer,
                         bool read_only) {
  const std::uint32_t stream = host_stream(lpn, data_class, read_only);
  const bool chooses = geometry_.dies > 1 && config_.die_choice == VolumeConfig::DieChoice::least_busy;
  std::uint32_t ppn = place_in_begun_unit(stream);
  if (ppn == kUnmapped && chooses) ppn = place_on_least_busy(stream);
  // First those dies where nothing has to be waited for, so that one that cleans does not keep the others idle.
  for (std::uint32_t tried = 0; tried < 2 * geometry_.dies && ppn == kUnmapped; ++tried) {
    turn_ = turn_ + 1 == geometry_.dies ? 0 : turn_ + 1;
    ppn = place(turn_, stream, tried >= geometry_.dies);
  }
  if (ppn == kUnmapped) return kUnmapped;
  if (has_place(map_[lpn])) {
    const std::uint32_t old = segment_of(map_[lpn]);
    segments_.drop_valid(segment_of(map_[lpn]));
    if (segments_.lists().is_lowest(old)) expect_victim(old);
  }
  replaced_ = map_[lpn];
  map_[lpn] = ppn;
  lpns_[ppn] = lpn;
  if (policies_.live()) policies_.written(lpn);
  work_.begin(turn_, 1);
  if (!geometry_.is_last_of_unit(ppn)) begin_to_wait(ppn, stream);
  queue({FlashOpKind::program, true, tag, ppn, FlashOp::kNoPage, buffer, false,
         metadata_of(lpn, slc_.named(segment_of(ppn), stream), ++sequence_, named_before(ppn))});
  return ppn;
}

void Log::trim(std::uint32_t lpn) {
  if (has_place(map_[lpn])) segments_.drop_valid(segment_of(map_[lpn]));
  if (policies_.live()) policies_.unmapped(lpn);
  map_[lpn] = kUnmapped;
}

std::uint32_t Log::place(std::uint32_t die, std::uint32_t stream, bool wait) {
  Open& open = this->open(die, stream);
  bool asks = open.segment == kNoSegment;
  bool for_checkpoint = !cleaning_;
  for (;;) {
    const bool none = open.segment == kNoSegment;
    if (none && !wait && !next_is_ready(die)) return kUnmapped;
    // Cleaning uses up the reserve and restores it; its copies may open this very segment, or fill it.
    const bool is_needed = !cleaning_ && is_short(die, none);
    const bool is_kept = for_checkpoint && none && keeps_for_checkpoint(die);
    if (is_needed || is_kept || (asks && !cleaning_ && is_wanted(die, stream, none))) {
      if (clean_one(die, is_needed)) continue;
      // A cleaning that found no room for all may have filled the segment.
      if (is_needed && open.segment == kNoSegment) return kUnmapped;
      if (is_needed) break;
      // Where no other die has room either the next checkpoint has to wait.
      if (is_kept && !wait) return kUnmapped;
      asks = for_checkpoint = false;
      continue;
    }
    if (!none) break;
    if (!open_segment(die, open)) return kUnmapped;
    asks = false;
  }
  return take_place(die, open);
}

std::uint32_t Log::place_on_least_busy(std::uint32_t stream) {
  for (;;) {
    work_.begin_round();
    const auto accepts = [&](std::uint32_t die) { return has_place_at_once(die, stream); };
    for (;;) {
      const std::uint32_t die = work_.least_behind(turn_, accepts);
      if (die == DieWork::kNone) break;
      if (const std::uint32_t ppn = place_at_once(die, stream); ppn != kUnmapped) {
        turn_ = die;
        return ppn;
      }
      work_.refuse(die);
    }
    if (!work_.any()) return kUnmapped;
    submit_queued();
    reports_.take_next();
  }
}

bool Log::open_segment(std::uint32_t die, Open& open) {
  // What was queued before is booked under its own cause. Without an erase it goes with what comes next.
  const std::uint32_t next = segments_.free().first(die);
  if (!cleaning_ && next != kNoSegment && !flags_[next].erased) submit_queued();
  const CauseScope cause(probe_, Cause::clean);
  const std::uint32_t segment = take_free(die);
  if (segment == kNoSegment) return false;
  if (open.segment != kNoSegment) {
    // Pages regained from failed copies were moved meanwhile, and opened one.
    free_segment(die, segment);
    return true;
  }
  begin_segment(segment, static_cast<std::uint32_t>(&open - &this->open(die, 0)));
  open = {segment, slc_.next_in(segment, 0)};
  return true;
}

void Log::begin_segment(std::uint32_t segment, std::uint32_t stream) {
  if (!flags_[segment].erased) {
    // What cleaning has queued is booked under the same cause.
    if (!cleaning_) submit_queued();
    erase(segment, stats_.erases);
    if (!cleaning_) submit_queued();
  }
  flags_[segment].erased = false;
  segments_.record(segment).stream = static_cast<std::uint8_t>(stream);
  ++openings_;
  if (is_for_slc(segment, stream)) slc_.add(segment);
  if (slc_.on()) slc_.opened(segment, sequence_ + 1);
  own_.opened(segment);
  if (policies_.live()) policies_.opened(segment, sequence_ + 1);
  segments_.set_state(segment, SegmentState::open);
}

void Log::erase(std::uint32_t segment, std::uint64_t& count, bool ahead) {
  queue({FlashOpKind::erase, ahead, ahead ? kErasedAhead : kTag, segment * pages_per_segment_});
  segments_.erase(segment);
  ++count;
}

void Log::erase_due(Cause cause) {
  // What was queued before is booked under its own cause.
  submit_queued();
  const CauseScope scope(probe_, cause);
  for (std::uint32_t die = 0; die < geometry_.dies; ++die) {
    if (dies_[die].erases) continue;
    const std::uint32_t segment = next_to_erase(die);
    if (segment == kNoSegment) continue;
    no_longer_due(segment);
    flags_[segment].erased = dies_[die].erases = true;
    ++erasing_;
    erase(segment, stats_.erases, true);
  }
  submit_queued();
}

std::uint32_t Log::next_to_erase(std::uint32_t die) const {
  std::uint32_t segment = segments_.free().first(die);
  const auto may = [&] { return flags_[segment].due && !flags_[segment].regained && is_ready(segment); };
  while (segment != kNoSegment && !may()) segment = segments_.free().next(segment);
  return segment;
}

std::uint32_t Log::first_ready(std::uint32_t die) const {
  std::uint32_t segment = segments_.free().first(die);
  while (segment != kNoSegment && !is_ready(segment)) segment = segments_.free().next(segment);
  return segment;
}

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

std::uint32_t Log::take_free(std::uint32_t die) {
  for (std::uint32_t left = segments_.free().count(die); left > 0 && segments_.free().count(die) > 0; --left) {
    std::uint32_t segment = segments_.free().first(die);
    while (segments_.state(segment) == SegmentState::free && !is_ready(segment)) {
      if (never_ready(segment)) {
        segment = first_ready(die);
        if (segment == kNoSegment) return kNoSegment;
        break;
      }
      submit_queued();
      reports_.take_next();
    }
    if (segments_.state(segment) != SegmentState::free) continue;
    take_off(die, segment);
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

void Log::take_off(std::uint32_t die, std::uint32_t segment) {
  segments_.free().take(die, segment);
  no_longer_due(segment);
}

void Log::copied(std::uint32_t segment) {
  if (--flags_[segment].copying > 0) return;
  work_.end(segment / per_die_, copies_[segment]);
  copies_[segment] = 0;
  if (flags_[segment].leaving) leave(segment);
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
  released_[segment_of(ppn)] = epochs_.now();
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

std::uint32_t Log::allocate_segment(std::uint32_t die) {
  const CauseScope cause(probe_, Cause::metadata);
  while (segments_.free().count(die) <= reserve_)
    if (!clean_one(die)) return kNoSegment;
  const std::uint32_t segment = take_free(die);
  if (segment == kNoSegment) return kNoSegment;
  segments_.set_state(segment, SegmentState::open);
  if (!flags_[segment].erased) erase(segment, stats_.log_erases);
  flags_[segment].erased = false;
  ++openings_;
  return segment;
}

SegmentInfo Log::info(std::uint32_t segment) const {
  if (segment >= geometry_.segments) return {};
  std::uint32_t used = segments_.state(segment) == SegmentState::sealed ? slc_.pages_in(segment) : 0;
  for (const Open& open : segments_.open())
    if (open.segment == segment) used = slc_.pages_in(segment) - room_in(open);
  return {segments_.state(segment), segments_.erases(segment), segments_.valid(segment), used,
          segments_.shown_stream(segments_.stream(segment))};
}

}  // namespace ftlab::volume
