// Recovery, in named steps.
#include "firmware/ftl/flexfs/mount.h"

#include <algorithm>

#include "firmware/ftl/flexfs/format.h"

namespace ftlab::flexfs {

FtlStatus Mount::run() {
  const CauseScope cause(s_.probe, Cause::mount);
  const FtlStatus loaded = load();
  if (loaded != FtlStatus::ok) return loaded;
  for (std::uint32_t id = 0; id < s_.segments.segments(); ++id)
    s_.segments.row(id).retired = s_.checkpoints.row(id).retired;
  mark_fixed_segments(s_);
  if (scan() != FlashStatus::ok) return FtlStatus::read_failed;
  const Undone undone = undo_copies();
  if (undone.status != FlashStatus::ok) return FtlStatus::read_failed;
  resumed_ = undone.undone;
  if (undone.freed != kNone) {
    s_.segments.row(undone.freed).used = 0;
    s_.segments.row(undone.freed).needs_erase = true;
    s_.segments.push_free(undone.freed);
  }
  s_.sequence = scanner().sequence();
  s_.life_ns = scanner().stamp() << FlexFsState::kStampShift;
  count_used();
  resume_logs();
  pool_.update_space();
  return FtlStatus::ok;
}

void Mount::found_segment(const nand::ScannedSegment& found) {
  SegmentRow& row = s_.segments.row(found.segment);
  if (row.state == SegmentState::fixed) return;
  row.erase_count = found.erase_count;
  row.mode = found.mode;
  // A retired segment is never erased: what shows nothing whole failed at its first program.
  const bool failed_empty = row.retired && found.state == SegmentState::free;
  row.retired = row.retired || found.retired;
  row.refresh = found.refresh;
  row.opened_sequence = found.opened_sequence;
  row.opened_stamp = found.summary ? found.opened_stamp : 0;
  switch (found.state) {
    case SegmentState::bad:
      s_.segments.set_state(found.segment, SegmentState::bad);
      row.retired = true;
      ++s_.stats.bad_segments;
      s_.usable_segments -= 1;
      return;
    case SegmentState::open:
    case SegmentState::sealed:
      break;
    case SegmentState::free:
    case SegmentState::fixed:  // not ours to say: it lies in the partition now
      if (failed_empty) break;
      row.needs_erase = true;
      s_.segments.push_free(found.segment);
      return;
  }
  row.stream = static_cast<StreamId>(found.mode == PageMode::lsb_only ? Region::slc : Region::mlc);
  s_.store.set_mode(found.segment, found.mode);
  // Open ones are judged when it is known what in them still counts.
  const bool open = found.state == SegmentState::open && !row.retired;
  s_.segments.set_state(found.segment, open ? SegmentState::open : SegmentState::sealed);
  row.used = static_cast<std::uint16_t>(open ? found.used : s_.store.slots(found.mode));
}

std::uint32_t Mount::log_of(Region region) const {
  std::uint32_t newest = kNone;
  for (std::uint32_t id = 0; id < s_.segments.segments(); ++id) {
    const SegmentRow& row = s_.segments.row(id);
    // Without valid pages it may be what an interrupted erase left of a sealed one.
    if (row.state != SegmentState::open || row.stream != static_cast<StreamId>(region) || row.valid == 0) continue;
    if (newest == kNone || row.opened_sequence > s_.segments.row(newest).opened_sequence) newest = id;
  }
  return newest;
}

void Mount::resume_logs() {
  // Resuming, not starting anew: an interrupted cleaning may have taken the last free segment for its copies.
  for (const Region region : {Region::slc, Region::mlc}) {
    const std::uint32_t id = log_of(region);
    if (id == kNone) continue;
    SegmentRow& row = s_.segments.row(id);
    nand::ScannedSegment found;
    found.segment = id;
    found.state = SegmentState::open;
    found.mode = row.mode;
    found.used = row.used;
    found.opened_sequence = row.opened_sequence;
    found.opened_stamp = row.opened_stamp;
    found.attempted = scanner().attempted(id, row.mode, row.used, row.erase_count);
    if (!scanner().resume(found)) continue;
    row.used = static_cast<std::uint16_t>(s_.store.used(id));
    resumed_ = true;
    spoiled_[index_of(region)] = row.refresh;
    s_.log[index_of(region)] = id;
  }
  for (std::uint32_t id = 0; id < s_.segments.segments(); ++id) {
    SegmentRow& row = s_.segments.row(id);
    if (row.state == SegmentState::open && !s_.store.is_open(id)) pool_.close(id);
    if (row.state == SegmentState::sealed && row.valid == 0) row.needs_erase = true;
  }
}

void Mount::count_used() {
  // The count as of the checkpoint, or as of the segment opened last that has its summary; those opened since add one
  // each.
  std::uint64_t known = s_.checkpoints.head().own;
  std::uint64_t known_at = s_.checkpoints.head().sequence;
  for (const SegmentRow& row : s_.segments.rows()) {
    if (row.state != SegmentState::sealed || row.opened_stamp <= known) continue;
    known = row.opened_stamp;
    known_at = row.opened_sequence;
  }
  s_.used_segments = known;
  for (std::uint32_t id = 0; id < s_.segments.segments(); ++id) {
    SegmentRow& row = s_.segments.row(id);
    const bool written = row.state == SegmentState::open || row.state == SegmentState::sealed;
    if (!written || row.opened_stamp != 0) continue;
    if (row.opened_sequence > known_at) ++s_.used_segments;
    row.opened_stamp = s_.used_segments;
  }
}

}  // namespace ftlab::flexfs
