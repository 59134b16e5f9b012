#include "firmware/volume/log/log.h"

#include <algorithm>
#include <bit>

namespace ftlab::volume {
namespace {

/// Operations handed to the port together at most.
constexpr std::uint32_t kQueue = 512;

}  // namespace

Log::Log(FlashPort& port, ProbePort& probe, const VolumeConfig& config)
    : port_(port),
      probe_(probe),
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
  flags_ = arena.take<Flags>(segments);
  found_used_ = arena.take<std::uint16_t>(segments);
  segments_.layout(arena, {segments, pages_per_segment_, geometry_.dies, streams_});
  dies_ = arena.take<Die>(geometry_.dies);
  queue_ = arena.take<FlashOp>(kQueue);
  work_.layout(arena, geometry_.dies);
  refreshes_.layout(arena, segments);
  slc_.layout(arena);
  policies_.layout(arena, config_.logical_pages, map_);
}

void Log::clear() {
  std::ranges::fill(map_, kUnmapped);
  std::ranges::fill(lpns_, kUnmapped);
  std::ranges::fill(flags_, Flags{});
  std::ranges::fill(dies_, Die{});
  std::ranges::fill(found_used_, 0);
  work_.clear();
  waiting_ = 0;
  segments_.clear();
  slc_.clear();
  refreshes_.clear();
  own_.clear();
  policies_.clear();
  queued_ = 0;
  sequence_ = lifetime_ns_ = openings_ = 0;
  epochs_ = {};
  held_ = held_trims_ = 0;
  leaving_ = due_ = erasing_ = known_copied_ = 0;
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

void Log::pad(std::uint32_t die, Open& open) {
  const std::uint32_t segment = open.segment;
  while (open.segment != kNoSegment && geometry_.place_in_unit(open.used) != 0) {
    const std::uint32_t ppn = take_place(die, open);
    segments_.drop_valid(segment_of(ppn));
    lpns_[ppn] = kUnmapped;
    ++stats_.pages_padded;
    queue({FlashOpKind::program, is_last_place(ppn), kTag, ppn, FlashOp::kNoPage, FlashOp::kNoBuffer, false,
           metadata_for(kPaddingLpn, segments_.stream(segment), ppn)});
  }
}

void Log::trim(std::uint32_t lpn) {
  if (has_place(map_[lpn])) segments_.drop_valid(segment_of(map_[lpn]));
  if (policies_.live()) policies_.unmapped(lpn);
  map_[lpn] = kUnmapped;
}

void Log::erase(std::uint32_t segment, std::uint64_t& count, bool ahead) {
  queue({FlashOpKind::erase, ahead, ahead ? kErasedAhead : kTag, segment * pages_per_segment_});
  segments_.erase(segment);
  ++count;
}

void Log::erase_ahead(Cause cause) {
  if (due_ == 0) return;
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

std::uint32_t Log::emptiest(std::uint32_t die) const {
  std::uint32_t best = kNoSegment;
  for (std::uint32_t segment = die * per_die_; segment < (die + 1) * per_die_; ++segment) {
    if (!segments_.listed(segment) || segments_.valid(segment) == full_pages(segment)) continue;
    if (best == kNoSegment || segments_.valid(segment) < segments_.valid(best)) best = segment;
  }
  return best;
}

SegmentInfo Log::info(std::uint32_t segment) const {
  if (segment >= geometry_.segments) return {};
  std::uint32_t used = segments_.state(segment) == SegmentState::sealed ? slc_.pages_in(segment) : 0;
  for (const Open& open : segments_.open())
    if (open.segment == segment) used = slc_.pages_in(segment) - room_in(open);
  return {segments_.state(segment), segments_.erases(segment), segments_.valid(segment), used,
          segments_.shown_stream(segments_.stream(segment))};
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

CheckpointHistory Log::history(std::uint64_t nth) const {
  if (!has_histories() && nth == 0) return {CheckpointHistory::kLifetime, lifetime_ns_ >> kLifetimeShift};
  if (!has_histories()) return {CheckpointHistory::kOpenings, openings_};
  if (nth == 0) return policies_.clock_history();
  const auto lpn = static_cast<std::uint32_t>(nth - 1);
  return lpn < pages() ? policies_.page_history(lpn) : policies_.segment_history(lpn - pages());
}

}  // namespace ftlab::volume
