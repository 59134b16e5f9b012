#include "firmware/ftl/fms/collector.h"

namespace ftlab::fms {

void Collector::plan(std::span<PageMove> moves) {
  s_.policies.redistribution().plan(s_.view(), moves);
  for (PageMove& move : moves) {
    const StreamId stream = v_.segments.row(move.segment).stream;
    move.stream = is_placed(s_.config, stream) ? stream : cleaning_stream(move.stream);
  }
}

void Collector::cleaned() {
  if (pool_.pop_last_erased() == kNone || v_.read_only) return;
  const auto move = s_.policies.wear_leveling().pick(s_.view());
  // The last free one is for copies: this one stays half filled when the move fails.
  if (!move || move->to == v_.replaced.deferred_victim || v_.usable_free() < 2) return;
  if (v_.replaced.ppn != kUnmapped && v_.segments.segment_of(v_.replaced.ppn) == move->from) return;
  const CauseScope cause(v_.probe, Cause::wear_level);
  v_.segments.remove_free(move->to);
  if (cleaner_.swap(move->from, move->to)) (void)pool_.pop_last_erased();
}

}  // namespace ftlab::fms
