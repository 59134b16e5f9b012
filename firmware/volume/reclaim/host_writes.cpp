#include "firmware/volume/reclaim/host_writes.h"

#include <algorithm>

namespace ftlab::volume {

std::uint32_t HostWrites::host_stream(std::uint32_t lpn, std::uint32_t data_class, bool read_only) {
  log_.own_.tick();
  std::uint32_t separated = 0;
  if (log_.own_.separates()) {
    const bool mapped = has_place(log_.map_[lpn]);
    separated = log_.own_.host_stream(lpn, data_class, mapped,
                                      mapped ? log_.segments_.stream(log_.segment_of(log_.map_[lpn])) : 0);
  }
  if (log_.policies_.live()) return log_.policies_.host_stream(lpn, log_.map_[lpn], read_only, separated);
  if (log_.own_.separates()) return separated;
  return log_.config_.regions == VolumeConfig::Regions::slc_and_mlc ? data_class : 0;
}

std::uint32_t HostWrites::write(std::uint32_t lpn, std::uint32_t data_class, std::uint16_t tag, std::uint16_t buffer,
                                bool read_only) {
  const std::uint32_t stream = host_stream(lpn, data_class, read_only);
  const bool chooses = log_.geometry_.dies > 1 && log_.config_.die_choice == VolumeConfig::DieChoice::least_busy;
  std::uint32_t ppn = place_in_begun_unit(stream);
  if (ppn == kUnmapped && chooses) ppn = place_on_least_busy(stream);
  // First those dies where nothing has to be waited for, so that one that cleans does not keep the others idle.
  for (std::uint32_t tried = 0; tried < 2 * log_.geometry_.dies && ppn == kUnmapped; ++tried) {
    turn_ = turn_ + 1 == log_.geometry_.dies ? 0 : turn_ + 1;
    ppn = place(turn_, stream, tried >= log_.geometry_.dies);
  }
  if (ppn == kUnmapped) return kUnmapped;
  if (has_place(log_.map_[lpn])) {
    const std::uint32_t old = log_.segment_of(log_.map_[lpn]);
    log_.segments_.drop_valid(log_.segment_of(log_.map_[lpn]));
    if (log_.segments_.lists().is_lowest(old)) log_.expect_victim(old);
  }
  replaced_ = log_.map_[lpn];
  log_.map_[lpn] = ppn;
  log_.lpns_[ppn] = lpn;
  if (log_.policies_.live()) log_.policies_.written(lpn);
  log_.work_.begin(turn_, 1);
  if (!log_.geometry_.is_last_of_unit(ppn)) begin_to_wait(ppn, stream);
  log_.queue(
      {FlashOpKind::program, true, tag, ppn, FlashOp::kNoPage, buffer, false, log_.metadata_for(lpn, stream, ppn)});
  return ppn;
}

std::uint32_t HostWrites::place_in_begun_unit(std::uint32_t stream) {
  const std::uint32_t die = unit_dies_[stream];
  OpenSegment& open = log_.open(die, stream);
  if (open.host_pages == 0) return kUnmapped;
  turn_ = die;
  return log_.take_place(die, open);
}

void HostWrites::begin_to_wait(std::uint32_t ppn, std::uint32_t stream) {
  const std::uint32_t die = log_.segment_of(ppn) / log_.per_die_;
  ++log_.open(die, stream).host_pages;
  ++log_.waiting_;
  unit_dies_[stream] = die;
}

std::uint32_t HostWrites::place(std::uint32_t die, std::uint32_t stream, bool wait) {
  OpenSegment& open = log_.open(die, stream);
  bool asks = open.segment == kNoSegment;
  bool for_checkpoint = true;
  for (;;) {
    const bool none = open.segment == kNoSegment;
    if (none && !wait && !log_.next_is_ready(die)) return kUnmapped;
    // Cleaning uses up the reserve and restores it; its copies may open this very segment, or fill it.
    const bool is_needed = log_.is_short(die, none);
    const bool is_kept = for_checkpoint && none && keeps_for_checkpoint(die);
    if (is_needed || is_kept || (asks && is_wanted(die, stream, none))) {
      if (cleaning_.clean_one(die, is_needed)) continue;
      // A cleaning that found no room for all may have filled the segment.
      if (is_needed && open.segment == kNoSegment) return kUnmapped;
      if (is_needed) break;
      // Where no other die has room either the next checkpoint has to wait.
      if (is_kept && !wait) return kUnmapped;
      asks = for_checkpoint = false;
      continue;
    }
    if (!none) break;
    if (!moves_.open_segment(die, open)) return kUnmapped;
    asks = false;
  }
  return log_.take_place(die, open);
}

std::uint32_t HostWrites::place_on_least_busy(std::uint32_t stream) {
  for (;;) {
    log_.work_.begin_round();
    const auto accepts = [&](std::uint32_t die) { return has_place_at_once(die, stream); };
    for (;;) {
      const std::uint32_t die = log_.work_.least_behind(turn_, accepts);
      if (die == DieWork::kNone) break;
      if (const std::uint32_t ppn = place_at_once(die, stream); ppn != kUnmapped) {
        turn_ = die;
        return ppn;
      }
      log_.work_.refuse(die);
    }
    if (!log_.work_.any()) return kUnmapped;
    log_.submit_queued();
    in_flight_.take_next();
  }
}

bool HostWrites::has_place_at_once(std::uint32_t die, std::uint32_t stream) {
  const bool none = log_.open(die, stream).segment == kNoSegment;
  if (log_.is_short(die, none)) return moves_.has_room_at_once(die);
  return !none || log_.next_is_ready(die);
}

std::uint32_t HostWrites::place_at_once(std::uint32_t die, std::uint32_t stream) {
  OpenSegment& open = log_.open(die, stream);
  bool asks = open.segment == kNoSegment;
  for (;;) {
    const bool none = open.segment == kNoSegment;
    const bool is_needed = log_.is_short(die, none);
    const bool is_kept = none && keeps_for_checkpoint(die);
    if (!is_needed && !is_kept && !(asks && is_wanted(die, stream, none))) break;
    const bool has_room = moves_.has_room_at_once(die);
    if (has_room && cleaning_.clean_one(die, false)) continue;
    if (is_needed && (!has_room || open.segment == kNoSegment || log_.dies_[die].settling > 0)) return kUnmapped;
    if (is_needed) break;
    if (is_kept) return kUnmapped;
    asks = false;
  }
  if (open.segment == kNoSegment && (!log_.next_is_ready(die) || !moves_.open_segment(die, open))) return kUnmapped;
  return log_.take_place(die, open);
}

}  // namespace ftlab::volume
