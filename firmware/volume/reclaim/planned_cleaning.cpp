#include "firmware/volume/reclaim/planned_cleaning.h"

#include <algorithm>
#include <utility>

#include "firmware/volume/reclaim/cleaning.h"

namespace ftlab::volume {

PlannedCleaning::PlannedCleaning(Cleaning& cleaning)
    : cleaning_(cleaning), log_(cleaning.log_), copies_(cleaning.moves_) {}

void PlannedCleaning::layout(Arena& arena) {
  victims_ = arena.take<std::uint32_t>(log_.policies_.at_once());
  moved_ = arena.take<MovedPages>(log_.policies_.at_once());
  if (!log_.policies_.chosen()) return;
  moves_ = arena.take<PageMove>(std::size_t{log_.pages_per_segment_} * log_.policies_.at_once());
  awaited_ = arena.take<fms::WearMove>(log_.geometry_.dies);
}

void PlannedCleaning::clear() {
  std::ranges::fill(awaited_, fms::WearMove{});
  awaiting_ = 0;
}

void PlannedCleaning::level_awaited() {
  for (std::uint32_t die = 0; die < awaited_.size(); ++die)
    if (awaited_[die].to != kNoSegment) level_wear(die);
}

std::uint32_t PlannedCleaning::room_at_once(std::uint32_t die) const {
  std::uint32_t pages = 0;
  for (std::uint32_t id = log_.segments_.free().first(die); id != kNoSegment && log_.is_ready(id);
       id = log_.segments_.free().next(id))
    pages += log_.pages_per_segment_;
  const std::uint32_t streams = log_.policies_.partitioned() ? 0 : log_.streams_;
  for (std::uint32_t stream = 0; stream < streams; ++stream) {
    const OpenSegment& open = log_.segments_.open(die, stream);
    if (open.segment != kNoSegment) pages += log_.pages_per_segment_ - open.used;
  }
  return pages;
}

std::span<const std::uint32_t> PlannedCleaning::victims_with(std::uint32_t victim) {
  victims_.front() = victim;
  const bool alone = !log_.policies_.live() || cleaning_.named_victim_ != kNoSegment;
  const std::size_t most = alone ? 1 : victims_.size();
  if (most == 1) return victims_.first(1);
  const std::uint32_t die = victim / log_.per_die_;
  const std::uint32_t room = room_at_once(die);
  std::uint32_t copies = log_.segments_.valid(victim);
  std::size_t count = 1;
  for (; count < most; ++count) {
    log_.segments_.set_cleaning(victims_[count - 1], true);
    const std::uint32_t next = log_.policies_.pick_victim(die);
    if (next == kNoSegment || !log_.policies_.is_worth(next) || !cleaning_.brings_room(next)) break;
    copies += log_.segments_.valid(next);
    // One segment stays: a stream may leave room that others could have used.
    if (copies + log_.pages_per_segment_ > room) break;
    victims_[count] = next;
  }
  for (const std::uint32_t chosen : victims_.first(count)) log_.segments_.set_cleaning(chosen, false);
  return victims_.first(count);
}

std::span<const PageMove> PlannedCleaning::plan(std::span<const std::uint32_t> victims) {
  std::size_t count = 0;
  for (const std::uint32_t victim : victims) {
    const std::uint32_t first = victim * log_.pages_per_segment_;
    for (std::uint32_t slot = 0; slot < log_.pages_per_segment_; ++slot)
      if (log_.is_mapped(first + slot))
        moves_[count++] = {log_.lpns_[first + slot], static_cast<std::uint16_t>(slot), 0, victim};
  }
  const std::span<PageMove> moves = moves_.first(count);
  log_.policies_.plan(moves);
  return moves;
}

bool PlannedCleaning::move(std::span<const std::uint32_t> victims) {
  for (const std::uint32_t victim : victims) log_.expect_moves(victim);
  std::ranges::fill(moved_.first(victims.size()), MovedPages{});
  bool room = true;
  for (const PageMove& move : plan(victims)) {
    const std::uint32_t from = move.segment * log_.pages_per_segment_ + move.slot;
    // A copy that waited for room may have let others get on.
    if (!log_.is_mapped(from)) continue;
    const auto nth = static_cast<std::size_t>(std::ranges::find(victims, move.segment) - victims.begin());
    room = copies_.copy_page(move.segment, from, stream_of(move), moved_[nth]);
    if (!room) break;
    // The report may come while copies of another victim wait for room.
    if (moved_[nth].reported) copies_.end_moving(move.segment, std::exchange(moved_[nth], {}));
  }
  for (std::size_t i = 0; i < victims.size(); ++i) copies_.end_moving(victims[i], moved_[i]);
  return room;
}

std::uint32_t PlannedCleaning::stream_of(const PageMove& move) {
  const bool is_own = log_.policies_.leaves_streams() && !log_.policies_.is_placed(move.stream);
  return is_own ? log_.own_.copy_stream(move.lpn, log_.segments_.stream(move.segment)) : move.stream;
}

void PlannedCleaning::drop_awaited(std::uint32_t die) {
  awaiting_ -= awaited_[die].to != kNoSegment ? 1 : 0;
  awaited_[die] = {};
}

bool PlannedCleaning::takes_data(std::uint32_t segment) const {
  const SegmentRecord& record = log_.segments_.record(segment);
  return record.state == SegmentState::free && !record.retired && !log_.flags_[segment].regained;
}

void PlannedCleaning::level_wear(std::uint32_t die) {
  fms::WearMove& awaited = awaited_[die];
  // Taken into use meanwhile.
  if (awaited.to != kNoSegment && !takes_data(awaited.to)) drop_awaited(die);
  if (awaited.to == kNoSegment) {
    const auto move = log_.policies_.level_wear(die);
    if (!move || !takes_data(move->to)) return;
    awaited = *move;
    ++awaiting_;
  }
  if (!log_.is_ready(awaited.to)) return;
  const fms::WearMove move = awaited;
  drop_awaited(die);
  // The last free one is for copies.
  if (log_.segments_.free().count(die) < 2 || !log_.segments_.listed(move.from)) return;
  // What was queued before is booked under its own cause.
  log_.submit_queued();
  const CauseScope cause(log_.probe_, Cause::wear_level);
  copies_.move_whole(move.from, move.to);
  log_.policies_.leveled(die, move);
  log_.submit_queued();
}

bool PlannedCleaning::clean_in_idle_time() {
  bool any = false;
  for (std::uint32_t die = 0; die < log_.geometry_.dies; ++die) {
    log_.policies_.clean_for_nobody(die);
    const bool wants = log_.segments_.free().count(die) <= log_.policies_.idle_water() && copies_.has_room_at_once(die);
    any = (wants && cleaning_.clean_one(die, false)) || any;
  }
  return any;
}

}  // namespace ftlab::volume
