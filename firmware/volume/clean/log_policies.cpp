#include "firmware/volume/clean/log_policies.h"

#include <algorithm>

#include "firmware/map/listed_segments.h"
#include "firmware/policy/die_geometry.h"

namespace ftlab::volume {
namespace {

/// Nothing of the page was found.
constexpr std::uint64_t kNowhere = UINT64_MAX;

}  // namespace

LogPolicies::LogPolicies(ProbePort& probe, const FlashGeometry& geometry, const fms::PolicyChoice* choice)
    : probe_(probe),
      geometry_(geometry),
      choice_(choice),
      per_die_(geometry.segments_per_die()),
      pages_per_die_(per_die_ * geometry.pages_per_segment) {}

void LogPolicies::layout(Arena& arena, std::uint32_t logical_pages) {
  if (choice_ == nullptr) return;
  cleaning_streams_ = choice_->streams() - choice_->placed_streams();
  copy_streams_ = choice_->copy_streams();
  places_ = choice_->placed_streams() > 0;
  const FlashGeometry part = fms::die_geometry(geometry_);
  pages_.layout(arena, logical_pages);
  first_found_ = arena.take<std::uint64_t>(geometry_.segments);
  moves_ = arena.take<PageMove>(std::size_t{geometry_.pages_per_segment} * at_once());
  order_ = arena.take<std::uint32_t>(per_die_);
  dies_ = arena.take<Die>(geometry_.dies);
  for (std::uint32_t id = 0; id < geometry_.dies; ++id) {
    Die measured;
    Die& die = dies_.empty() ? measured : dies_[id];
    die.segments.layout(arena, per_die_, geometry_.pages_per_segment);
    die.data_segments = geometry_.usable_per_die();
    die.policies.layout(arena, choice_->chosen, choice_->params,
                        {part, geometry_.pages_per_segment, logical_pages, choice_->shared, choice_->seed + id, &clock_,
                         choice_->low_water});
  }
}

void LogPolicies::clear() {
  if (choice_ == nullptr) return;
  live_ = false;
  clock_ = recorded_clock_ = recorded_sequence_ = 0;
  pages_.watch(nullptr);
  pages_.clear();
  std::ranges::fill(first_found_, kNowhere);
  for (Die& die : dies_) {
    die.segments.watch(nullptr);
    die.segments.clear();
    die.waiting = kNone;
    die.erased = false;
  }
}

void LogPolicies::found(std::uint32_t lpn, std::uint32_t ppn, std::uint64_t sequence) {
  if (choice_ == nullptr) return;
  std::uint64_t& first = first_found_[ppn / geometry_.pages_per_segment];
  first = std::min(first, order_of(sequence));
  const bool is_recorded = recorded_sequence_ > 0 && pages_.stamp(lpn) <= recorded_clock_;
  const std::uint32_t updates =
      is_recorded ? pages_.next_updates(lpn) : std::max<std::uint32_t>(pages_.updates(lpn), 1);
  pages_.map(Lpn{lpn}, Ppn{local(ppn)}, updates, stamp_of(order_of(sequence)));
}

void LogPolicies::found_clock(const CheckpointHistory& history, std::uint64_t sequence) {
  if (history.updates != (by_time() ? 1 : 0)) return;
  recorded_clock_ = from_stored(history);
  recorded_sequence_ = sequence;
}

void LogPolicies::found_page(std::uint32_t lpn, const CheckpointHistory& history) {
  if (recorded_sequence_ == 0 || history.updates == 0) return;
  // Where it lay may have been erased since: any place will do until one is found, or none.
  const std::uint32_t ppn = pages_.ppn(lpn) == ftlab::kUnmapped ? 0 : pages_.ppn(lpn);
  pages_.map(Lpn{lpn}, Ppn{ppn}, history.updates, std::min(from_stored(history), recorded_clock_));
}

void LogPolicies::found_opened(std::uint32_t segment, const CheckpointHistory& history) {
  if (recorded_sequence_ == 0 || first_found_[segment] == kNowhere) return;
  first_found_[segment] = std::min(from_stored(history), recorded_clock_);
}

void LogPolicies::found_segment(std::uint32_t segment, std::uint32_t stream, const SegmentInfo& info) {
  Die& die = die_of(segment);
  const std::uint32_t id = segment % per_die_;
  SegmentRow& row = die.segments.row(id);
  row.erase_count = info.erase_count;
  row.stream = stream_at(stream);
  row.used = static_cast<std::uint16_t>(info.used_pages);
  if (first_found_[segment] != kNowhere) {
    row.opened_sequence = first_found_[segment];
    row.opened_stamp = stamp_of(first_found_[segment]);
  }
  if (info.state == SegmentState::free)
    die.segments.push_free(id);
  else
    die.segments.set_state(id, info.state);
}

void LogPolicies::found_mapped(std::uint32_t lpn, std::uint32_t ppn) {
  moved(lpn, ppn);
  add_valid(ppn);
}

void LogPolicies::join(std::uint64_t sequence) {
  const std::uint64_t newest = stamp_of(order_of(sequence));
  clock_offset_ = newest > now_ns_ ? newest - now_ns_ : 0;
  clock_ = by_time() ? now_ns_ + clock_offset_ : newest;
  for (Die& die : dies_) {
    die.segments.join(die.policies, order_);
  }
  if (!dies_.empty() && dies_.front().policies.watches_pages()) pages_.join(*this);
  live_ = true;
}

void LogPolicies::on_page(PageHistory before, PageHistory after) {
  for (Die& die : dies_) die.policies.on_page(before, after);
}

void LogPolicies::set_state(std::uint32_t segment, SegmentState state) {
  SegmentTable& segments = die_of(segment).segments;
  if (state == SegmentState::free)
    segments.push_free(segment % per_die_);
  else
    segments.set_state(segment % per_die_, state);
}

void LogPolicies::taken(std::uint32_t segment) { die_of(segment).segments.remove_free(segment % per_die_); }

void LogPolicies::opened(std::uint32_t segment, std::uint32_t stream, std::uint64_t sequence) {
  SegmentRow& row = die_of(segment).segments.row(segment % per_die_);
  row.stream = stream_at(stream);
  row.opened_sequence = order_of(number_of(sequence));
  row.opened_stamp = clock_;
  row.used = 0;
  set_state(segment, SegmentState::open);
}

void LogPolicies::released(std::uint32_t segment) {
  die_of(segment).segments.count_erase(segment % per_die_);
  die_of(segment).erased = true;
}

void LogPolicies::add_valid(std::uint32_t ppn) {
  const std::uint32_t segment = ppn / geometry_.pages_per_segment;
  die_of(segment).segments.set_valid(segment % per_die_, ppn % geometry_.pages_per_segment);
}

void LogPolicies::drop_valid(std::uint32_t ppn) {
  const std::uint32_t segment = ppn / geometry_.pages_per_segment;
  die_of(segment).segments.drop_valid(segment % per_die_, ppn % geometry_.pages_per_segment);
}

void LogPolicies::used(std::uint32_t ppn, std::uint32_t pages) {
  add_valid(ppn);
  const std::uint32_t segment = ppn / geometry_.pages_per_segment;
  die_of(segment).segments.row(segment % per_die_).used = static_cast<std::uint16_t>(pages);
}

void LogPolicies::written(std::uint32_t lpn, std::uint32_t ppn) {
  pages_.map(Lpn{lpn}, Ppn{local(ppn)}, pages_.next_updates(lpn), clock_);
  moved(lpn, ppn);
}

void LogPolicies::moved(std::uint32_t lpn, std::uint32_t ppn) {
  pages_.move(Lpn{lpn}, Ppn{local(ppn)});
  dies_[ppn / pages_per_die_].segments.lpn_at(local(ppn)) = lpn;
}

std::uint32_t LogPolicies::index_of(StreamId stream) const {
  if (stream == fms::kReadOnly) return places_ ? cleaning_streams_ : 0;
  return std::min(fms::cleaning_number(stream), cleaning_streams_ - 1);
}

std::uint32_t LogPolicies::host_stream(std::uint32_t lpn, std::uint32_t ppn, bool read_only, std::uint32_t separated) {
  if (!by_time()) ++clock_;
  Die& die = dies_[has_place(ppn) ? ppn / pages_per_die_ : lpn % dies_.size()];
  const WriteHint hint{.read_only = read_only};
  const StreamId placed = die.policies.placement().stream_of(view(die), lpn, hint);
  if (placed != fms::kHot) return index_of(placed);
  if (leaves_streams()) return separated;
  return index_of(fms::cleaning_stream(die.policies.redistribution().stream_of(view(die), lpn)));
}

fms::RoomLeft LogPolicies::room_of(const Die& die, bool full) const {
  return {full, die.segments.free_count(), choice_->low_water, choice_->high_water, copy_streams_ + 1};
}

bool LogPolicies::goes_on(std::uint32_t die, std::uint32_t stream, bool full) {
  Die& d = dies_[die];
  d.waiting = stream < cleaning_streams_ ? stream : kNone;
  return d.policies.trigger().goes_on(view(d), room_of(d, full));
}

bool LogPolicies::is_worth(std::uint32_t victim) {
  const CauseScope cause(probe_, Cause::clean);
  Die& die = die_of(victim);
  return die.policies.trigger().is_worth(view(die), room_of(die, true), victim % per_die_);
}

std::uint32_t LogPolicies::pick_victim(std::uint32_t die) {
  const CauseScope cause(probe_, Cause::clean);
  const auto victim = dies_[die].policies.selection().pick(view(dies_[die]));
  return victim ? die * per_die_ + *victim : kNoSegment;
}

std::span<const PageMove> LogPolicies::plan(std::span<const std::uint32_t> victims,
                                            std::span<const std::uint32_t> lpns) {
  Die& die = die_of(victims.front());
  const std::uint32_t first = victims.front() / per_die_ * per_die_;
  std::size_t count = 0;
  for (const std::uint32_t victim : victims) {
    die.segments.for_each_valid(victim - first, [&](std::uint32_t slot) {
      moves_[count++] = {lpns[victim * geometry_.pages_per_segment + slot], static_cast<std::uint16_t>(slot), 0,
                         victim - first};
    });
  }
  const std::span<PageMove> moves = moves_.first(count);
  if (count > 0) die.policies.redistribution().plan(view(die), moves);
  for (PageMove& move : moves) {
    const StreamId stream = die.segments.row(move.segment).stream;
    const bool stays = stream == fms::kReadOnly && places_;
    move.stream = static_cast<StreamId>(index_of(stays ? stream : fms::cleaning_stream(move.stream)));
    move.segment += first;
  }
  return moves;
}

std::optional<fms::WearMove> LogPolicies::level_wear(std::uint32_t die) {
  Die& d = dies_[die];
  if (!d.erased) return std::nullopt;
  const auto move = d.policies.wear_leveling().pick(view(d));
  d.erased = false;
  if (!move) return std::nullopt;
  return fms::WearMove{die * per_die_ + move->from, die * per_die_ + move->to};
}

const char* LogPolicies::self_check() const {
  for (const Die& die : dies_)
    if (const char* broken = die.policies.self_check(view(die))) return broken;
  return nullptr;
}

}  // namespace ftlab::volume
