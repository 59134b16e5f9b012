#include "firmware/volume/nand/mount.h"

#include <algorithm>

namespace ftlab::nand {

FtlStatus Mount::run() {
  const CauseScope cause(v_.probe, Cause::mount);
  n_.clear();
  const FtlStatus loaded = load();
  if (loaded != FtlStatus::ok) return loaded;
  v_.number = n_.store.volume();
  if (scan() != FlashStatus::ok) return FtlStatus::read_failed;
  n_.mark_fixed();
  const Undone undone = undo_copies();
  if (undone.status != FlashStatus::ok) return FtlStatus::read_failed;
  if (undone.freed != kNone) take_back(undone.freed);
  v_.sequence = scanner().sequence();
  v_.clock = n_.from_stamp(scanner().stamp());
  build_free_list();
  n_.pool.update_space();
  // Before the first program into a resumed segment: the next mount must know which pages that may have touched.
  // Before the erase of a segment whose copies are undone: their originals were void as of the checkpoint before.
  const bool resumed = resume_open();
  if ((resumed || undone.undone) && !v_.read_only && !n_.write_checkpoint() && !v_.read_only)
    return FtlStatus::read_failed;
  return FtlStatus::ok;
}

void Mount::found_segment(const ScannedSegment& found) {
  SegmentRow& row = v_.segments.row(found.segment);
  v_.segments.set_state(found.segment, found.state);
  row.erase_count = found.erase_count;
  row.stream = found.region < kMaxStreams ? found.region : 0;
  row.opened_sequence = found.opened_sequence;
  row.opened_stamp = n_.from_stamp(found.opened_stamp);
  row.retired = found.retired || found.state == SegmentState::bad;
  row.used = static_cast<std::uint16_t>(std::min(found.used, v_.slots));
  if (found.refresh || found.retired) n_.want_refresh(found.segment);
  switch (found.state) {
    case SegmentState::bad:
      row.used = 0;
      ++v_.stats.bad_segments;
      break;
    case SegmentState::free:
      row.used = 0;
      row.needs_erase = true;
      break;
    case SegmentState::open:
      if (open_count_ < open_found_.size() && !found.retired) {
        open_found_[open_count_++] = found;
        break;
      }
      [[fallthrough]];  // its unused slots come back when it is cleaned
    default:
      if (found.state != SegmentState::fixed) {
        v_.segments.set_state(found.segment, SegmentState::sealed);
        row.used = static_cast<std::uint16_t>(v_.slots);
      }
      break;
  }
}

void Mount::forget_open(std::uint32_t segment) {
  const auto open = open_found_.begin();
  const auto end =
      std::remove_if(open, open + open_count_, [&](const auto& found) { return found.segment == segment; });
  open_count_ = static_cast<std::uint32_t>(end - open);
}

/// Nothing in it counts any more: free, to be erased.
void Mount::take_back(std::uint32_t freed) {
  SegmentRow& row = v_.segments.row(freed);
  v_.segments.set_state(freed, SegmentState::free);
  row.used = 0;
  row.needs_erase = true;
  forget_open(freed);
}

bool Mount::resume_open() {
  bool resumed = false;
  // One without valid pages may be what an interrupted erase left: not programmed again, but cleaned next.
  const auto has_valid = [&](const ScannedSegment& found) { return v_.segments.row(found.segment).valid > 0; };
  for (std::uint32_t i = 0; i < open_count_; ++i) {
    const StreamId stream = v_.segments.row(open_found_[i].segment).stream;
    std::uint32_t& active = v_.active[stream];
    // A stream that this configuration does not write to would keep its room, and a buffer, from the others.
    if (v_.config.writes_to[stream] && has_valid(open_found_[i]) &&
        (active == kNone || v_.segments.row(active).opened_sequence < open_found_[i].opened_sequence))
      active = open_found_[i].segment;
  }
  for (std::uint32_t i = 0; i < open_count_; ++i) {
    const ScannedSegment& found = open_found_[i];
    SegmentRow& row = v_.segments.row(found.segment);
    if (v_.active[row.stream] == found.segment && scanner().resume(found)) {
      row.used = static_cast<std::uint16_t>(n_.store.used(found.segment));
      resumed = true;
      continue;
    }
    // No summary: its program, too, may have been interrupted before.
    n_.pool.close(found.segment);
  }
  for (std::uint32_t id = 0; id < v_.segments.segments(); ++id) {
    SegmentRow& row = v_.segments.row(id);
    if (row.state == SegmentState::sealed && row.valid == 0) row.needs_erase = true;
  }
  return resumed;
}

/// The least erased first: the order in which they became free is not on the medium.
void Mount::build_free_list() {
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < v_.segments.segments(); ++i)
    if (v_.segments.row(i).state == SegmentState::free) v_.order[count++] = i;
  std::sort(v_.order.begin(), v_.order.begin() + count, [&](std::uint32_t a, std::uint32_t b) {
    const std::uint32_t ea = v_.segments.row(a).erase_count;
    const std::uint32_t eb = v_.segments.row(b).erase_count;
    return ea != eb ? ea < eb : a < b;
  });
  for (std::uint32_t i = 0; i < count; ++i) v_.segments.push_free(v_.order[i]);
}

}  // namespace ftlab::nand
