#include "firmware/volume/clean/log_policies.h"

#include <algorithm>

#include "firmware/map/listed_segments.h"
#include "firmware/policy/die_geometry.h"

namespace ftlab::volume {
namespace {

/// Nothing of the page was found.
constexpr std::uint64_t kNowhere = UINT64_MAX;

}  // namespace

LogPolicies::LogPolicies(ProbePort& probe, const FlashGeometry& geometry, SegmentTable& segments,
                         const fms::PolicyChoice* choice)
    : probe_(probe),
      geometry_(geometry),
      segments_(segments),
      choice_(choice),
      per_die_(geometry.segments_per_die()),
      data_segments_(geometry.usable_per_die()) {}

void LogPolicies::layout(Arena& arena, std::uint32_t logical_pages, std::span<const std::uint32_t> map) {
  if (choice_ == nullptr) return;
  cleaning_streams_ = choice_->streams() - choice_->placed_streams();
  copy_streams_ = choice_->copy_streams();
  places_ = choice_->placed_streams() > 0;
  segments_.set_cleaning_streams(cleaning_streams_);
  const FlashGeometry part = fms::die_geometry(geometry_);
  pages_.layout(arena, logical_pages, map);
  order_ = arena.take<std::uint32_t>(per_die_);
  dies_ = arena.take<Die>(geometry_.dies);
  for (std::uint32_t id = 0; id < geometry_.dies; ++id) {
    Die measured;
    Die& die = dies_.empty() ? measured : dies_[id];
    die.policies.layout(arena, choice_->chosen, choice_->params,
                        {part, geometry_.pages_per_segment, logical_pages, choice_->shared, choice_->seed + id, &clock_,
                         choice_->low_water});
  }
}

void LogPolicies::clear() {
  if (choice_ == nullptr) return;
  clock_ = recorded_clock_ = recorded_sequence_ = 0;
  pages_.watch(nullptr);
  pages_.clear();
  for (std::uint32_t id = 0; id < geometry_.segments; ++id) segments_.record(id).opened_sequence = kNowhere;
  for (Die& die : dies_) {
    die.waiting = kNone;
    die.erased = false;
  }
}

void LogPolicies::found(std::uint32_t lpn, std::uint32_t ppn, std::uint64_t sequence) {
  if (choice_ == nullptr) return;
  std::uint64_t& first = segments_.record(ppn / geometry_.pages_per_segment).opened_sequence;
  first = std::min(first, order_of(sequence));
  const bool is_recorded = recorded_sequence_ > 0 && pages_.stamp(lpn) <= recorded_clock_;
  const std::uint32_t updates =
      is_recorded ? pages_.next_updates(lpn) : std::max<std::uint32_t>(pages_.updates(lpn), 1);
  pages_.write(lpn, updates, stamp_of(order_of(sequence)));
}

void LogPolicies::found_clock(const CheckpointHistory& history, std::uint64_t sequence) {
  if (history.updates != (by_time() ? 1 : 0)) return;
  recorded_clock_ = from_stored(history);
  recorded_sequence_ = sequence;
}

void LogPolicies::found_page(std::uint32_t lpn, const CheckpointHistory& history) {
  if (recorded_sequence_ == 0 || history.updates == 0) return;
  // Where it lay may have been erased since: join() looks whether there is a place.
  pages_.write(lpn, history.updates, std::min(from_stored(history), recorded_clock_));
}

void LogPolicies::found_opened(std::uint32_t segment, const CheckpointHistory& history) {
  std::uint64_t& first = segments_.record(segment).opened_sequence;
  if (recorded_sequence_ > 0 && first != kNowhere) first = std::min(from_stored(history), recorded_clock_);
}

void LogPolicies::join(std::uint64_t sequence) {
  for (std::uint32_t id = 0; id < geometry_.segments; ++id) {
    SegmentRecord& record = segments_.record(id);
    if (record.opened_sequence == kNowhere)
      record.opened_sequence = 0;
    else
      record.opened_stamp = stamp_of(record.opened_sequence);
  }
  for (std::uint32_t lpn = 0; lpn < pages_.size(); ++lpn)
    if (!has_place(pages_.ppn(lpn))) pages_.forget(lpn);
  const std::uint64_t newest = stamp_of(order_of(sequence));
  clock_offset_ = newest > now_ns_ ? newest - now_ns_ : 0;
  clock_ = by_time() ? now_ns_ + clock_offset_ : newest;
  for (std::uint32_t die = 0; die < dies_.size(); ++die) segments_.join(die, dies_[die].policies, order_);
  if (!dies_.empty() && dies_.front().policies.watches_pages()) pages_.join(*this);
}

void LogPolicies::on_page(PageHistory before, PageHistory after) {
  for (Die& die : dies_) die.policies.on_page(before, after);
}

std::uint32_t LogPolicies::index_of(StreamId stream) const {
  if (stream == fms::kReadOnly) return places_ ? cleaning_streams_ : 0;
  return std::min(fms::cleaning_number(stream), cleaning_streams_ - 1);
}

std::uint32_t LogPolicies::host_stream(std::uint32_t lpn, std::uint32_t ppn, bool read_only, std::uint32_t separated) {
  if (!by_time()) ++clock_;
  const std::uint32_t die =
      has_place(ppn) ? ppn / geometry_.pages_per_segment / per_die_ : static_cast<std::uint32_t>(lpn % dies_.size());
  fms::PolicySet& policies = dies_[die].policies;
  const WriteHint hint{.read_only = read_only};
  const StreamId placed = policies.placement().stream_of(view(die), lpn, hint);
  if (placed != fms::kHot) return index_of(placed);
  if (leaves_streams()) return separated;
  return index_of(fms::cleaning_stream(policies.redistribution().stream_of(view(die), lpn)));
}

fms::RoomLeft LogPolicies::room_of(std::uint32_t die, bool full) const {
  return {full, segments_.free().count(die), choice_->low_water, choice_->high_water, copy_streams_ + 1};
}

bool LogPolicies::goes_on(std::uint32_t die, std::uint32_t stream, bool full) {
  Die& d = dies_[die];
  d.waiting = stream < cleaning_streams_ ? stream : kNone;
  return d.policies.trigger().goes_on(view(die), room_of(die, full));
}

bool LogPolicies::is_worth(std::uint32_t victim) {
  const CauseScope cause(probe_, Cause::clean);
  const std::uint32_t die = victim / per_die_;
  return dies_[die].policies.trigger().is_worth(view(die), room_of(die, true), victim % per_die_);
}

std::uint32_t LogPolicies::pick_victim(std::uint32_t die) {
  const CauseScope cause(probe_, Cause::clean);
  const auto victim = dies_[die].policies.selection().pick(view(die));
  return victim ? die * per_die_ + *victim : kNoSegment;
}

void LogPolicies::plan(std::span<PageMove> moves) {
  if (moves.empty()) return;
  const std::uint32_t die = moves.front().segment / per_die_;
  const std::uint32_t first = die * per_die_;
  for (PageMove& move : moves) move.segment -= first;
  dies_[die].policies.redistribution().plan(view(die), moves);
  for (PageMove& move : moves) {
    move.segment += first;
    const StreamId stream = segments_.shown_stream(segments_.stream(move.segment));
    const bool stays = stream == fms::kReadOnly && places_;
    move.stream = static_cast<StreamId>(index_of(stays ? stream : fms::cleaning_stream(move.stream)));
  }
}

std::optional<fms::WearMove> LogPolicies::level_wear(std::uint32_t die) {
  Die& d = dies_[die];
  if (!d.erased) return std::nullopt;
  const auto move = d.policies.wear_leveling().pick(view(die));
  d.erased = false;
  if (!move) return std::nullopt;
  return fms::WearMove{die * per_die_ + move->from, die * per_die_ + move->to};
}

const char* LogPolicies::self_check() const {
  for (std::uint32_t die = 0; die < dies_.size(); ++die)
    if (const char* broken = dies_[die].policies.self_check(view(die))) return broken;
  return nullptr;
}

}  // namespace ftlab::volume
