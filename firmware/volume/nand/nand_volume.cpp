#include "firmware/volume/nand/nand_volume.h"

namespace ftlab::nand {

void NandVolume::measure(Arena& arena, const FlashGeometry& geometry, const VolumeConfig& config) {
  PageIoTables().layout(arena, geometry, open_segments(config));
  Checkpoints::measure(arena, geometry, {config.owner, config.layout, config.logical_pages, 0});
  (void)arena.take<std::uint64_t>(config.logical_pages);
}

void NandVolume::layout(Arena& arena) {
  store.layout(arena, open_segments(v.config));
  checkpoints.layout(arena);
  sequences = arena.take<std::uint64_t>(v.config.logical_pages);
}

void NandVolume::clear() {
  store.clear();
  checkpoints_lost = false;
  std::fill(sequences.begin(), sequences.end(), 0);
}

bool NandVolume::write_checkpoint(CheckpointKind kind) {
  const CauseScope cause(v.probe, Cause::metadata);
  const std::uint32_t erases = checkpoints.erases();
  const FlashStatus status = checkpoints.write(kind, v.sequence, to_stamp(v.clock), *this);
  v.stats.log_erases += checkpoints.erases() - erases;
  if (status != FlashStatus::ok) {
    // Both of its segments refuse: trims can no longer be kept.
    if (is_media_failure(status)) checkpoints_lost = v.read_only = v.halted = true;
    return false;
  }
  for (std::uint32_t i = 0; i < v.segments.segments(); ++i) v.segments.row(i).trimmed = false;
  store.recorded_reads();
  for (std::uint32_t which = 0; which < Checkpoints::kSegments; ++which)
    v.segments.row(checkpoints.segment(which)).erase_count = checkpoints.erase_count(which);
  return true;
}

void NandVolume::mark_fixed() {
  for (std::uint32_t i = 0; i < v.segments.segments(); ++i)
    if (checkpoints.is_checkpoint_segment(i) || store.is_slc_segment(i)) v.segments.set_state(i, SegmentState::fixed);
  for (std::uint32_t which = 0; which < Checkpoints::kSegments; ++which)
    v.segments.row(checkpoints.segment(which)).erase_count = checkpoints.erase_count(which);
}

void NandVolume::want_refresh(std::uint32_t segment) {
  v.segments.row(segment).refresh = true;
  v.refresh_wanted = true;
}

CheckpointRow NandVolume::checkpoint_row(std::uint32_t segment) const {
  const SegmentRow& row = v.segments.row(segment);
  return {row.erase_count, store.reads(segment), store.used(segment), row.state, PageMode::full, row.retired};
}

std::uint32_t NandVolume::checkpoint_mapped(std::uint32_t first, std::uint32_t count) const {
  return mapped_or_lost(v.pages, v.lost, first, count);
}

/// A page that the host is replacing is not valid any more, but until the new copy commits the old one counts.
std::uint32_t NandVolume::checkpoint_valid(std::uint32_t segment, std::uint32_t first, std::uint32_t count) const {
  const std::uint32_t valid = v.segments.valid_bits(segment, first, count);
  const std::uint32_t replaced = v.replaced.ppn - v.segments.ppn(segment, first);
  return replaced < count ? valid | 1U << replaced : valid;
}

std::uint32_t NandVolume::replace_checkpoint_segment(std::uint32_t failed) {
  if (v.segments.free_count() < 2) return kNone;
  std::uint32_t next = v.segments.first_free();
  while (next != kNone &&
         (next == v.replaced.deferred_victim || v.segments.row(next).erasing || v.segments.row(next).trimmed ||
          (v.segments.row(next).needs_erase && store.is_marked_bad(next))))
    next = v.segments.row(next).next_free;
  if (next == kNone) return kNone;
  v.segments.remove_free(next);
  v.segments.set_state(next, SegmentState::fixed);
  v.segments.row(next).needs_erase = false;
  SegmentRow& row = v.segments.row(failed);
  v.segments.set_state(failed, SegmentState::bad);
  row.retired = true;
  ++v.stats.bad_segments;
  pool.update_space();
  return next;
}

}  // namespace ftlab::nand
