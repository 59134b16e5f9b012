// Checkpoint "formatting", erases, checkpoint "complete".
#include "firmware/ftl/flexfs/format.h"

namespace ftlab::flexfs {

void mark_fixed_segments(FlexFsState& state) {
  const std::uint32_t wanted = data_segments(state.config, state.geometry);
  std::uint32_t good = 0;
  state.usable_segments = 0;
  for (std::uint32_t id = 0; id < state.segments.segments(); ++id) {
    const bool data = good < wanted && !state.store.is_slc_segment(id) && !state.checkpoints.is_checkpoint_segment(id);
    if (!data) {
      state.segments.set_state(id, SegmentState::fixed);
      continue;
    }
    ++state.usable_segments;
    if (!state.segments.row(id).retired) ++good;
  }
}

bool Format::is_blank(std::uint32_t segment) {
  const std::uint32_t last = s_.store.page_of(segment, PageMode::full, s_.store.slots(PageMode::full));
  for (const std::uint32_t page : {std::uint32_t{0}, last}) {
    const auto found = s_.store.read_metadata(segment, page);
    if (!found.result.ok() || !found.blank) return false;
  }
  return true;
}

FtlStatus Format::prepare(std::uint32_t segment) {
  SegmentRow& row = s_.segments.row(segment);
  if (row.retired) {
    pool_.mark_bad(segment);
    return FtlStatus::ok;
  }
  const FlashStatus status = new_part_ && is_blank(segment) ? FlashStatus::ok : pool_.erase(segment);
  if (status == FlashStatus::ok) {
    s_.segments.push_free(segment);
    return FtlStatus::ok;
  }
  if (!is_media_failure(status)) return FtlStatus::write_failed;
  pool_.mark_bad(segment);
  return FtlStatus::ok;
}

FtlStatus Format::run() {
  const CauseScope cause(s_.probe, Cause::metadata);
  const nand::Checkpoints::Found found = s_.checkpoints.load();
  new_part_ = found == nand::Checkpoints::Found::nothing;
  if (new_part_ || found == nand::Checkpoints::Found::damaged) s_.checkpoints.choose_segments();
  const bool known = found == nand::Checkpoints::Found::complete || found == nand::Checkpoints::Found::formatting;
  for (std::uint32_t id = 0; id < s_.segments.segments(); ++id) {
    SegmentRow& row = s_.segments.row(id);
    if (known) {
      const nand::CheckpointRow before = s_.checkpoints.row(id);
      row.erase_count = before.erase_count;
      row.retired = before.retired;
    }
    row.retired = row.retired || s_.store.is_marked_bad(id);
  }
  mark_fixed_segments(s_);
  s_.store.set_volume(s_.checkpoints.head().volume + 1);
  if (s_.checkpoints.write(nand::CheckpointKind::formatting, s_.sequence, 0, s_) != FlashStatus::ok)
    return FtlStatus::write_failed;
  for (std::uint32_t id = 0; id < s_.segments.segments(); ++id) {
    if (s_.segments.row(id).state == SegmentState::fixed) continue;
    const FtlStatus status = prepare(id);
    if (status != FtlStatus::ok) return status;
  }
  pool_.update_space();
  if (s_.read_only) return FtlStatus::write_failed;
  const FtlStatus kept = pool_.write_checkpoint();
  const std::uint64_t bad = s_.stats.bad_segments;
  s_.stats = {};
  s_.stats.bad_segments = bad;
  s_.flex = {};
  return kept;
}

}  // namespace ftlab::flexfs
