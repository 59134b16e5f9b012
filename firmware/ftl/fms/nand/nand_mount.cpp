// Recovery on NAND: what the scan found becomes tables.
#include <algorithm>

#include "firmware/ftl/fms/nand/nand_medium.h"

namespace ftlab::fms {

FtlStatus NandMedium::mount() {
  const CauseScope cause(s_.probe, Cause::mount);
  store_.clear();
  checkpoints_lost_ = false;
  std::fill(sequences_.begin(), sequences_.end(), 0);
  open_count_ = 0;
  switch (checkpoints_.load()) {
    case nand::Checkpoints::Found::nothing:
    case nand::Checkpoints::Found::formatting:
      return FtlStatus::not_formatted;
    case nand::Checkpoints::Found::other_layout:
      return FtlStatus::bad_config;
    case nand::Checkpoints::Found::damaged:
      return FtlStatus::read_failed;
    case nand::Checkpoints::Found::complete:
      break;
  }
  s_.volume = store_.volume();
  nand::Scan scan(store_, checkpoints_, s_.probe);
  if (scan.run(*this) != FlashStatus::ok) return FtlStatus::read_failed;
  set_fixed();
  for (std::uint32_t lpn = 0; lpn < s_.pages.size(); ++lpn)
    if (s_.pages.ppn(lpn) == kUnmapped && checkpoints_.mapped(lpn)) s_.lost.add(lpn);
  bool undone = false;
  if (undo_copies(scan, undone) != FlashStatus::ok) return FtlStatus::read_failed;
  s_.sequence = scan.sequence();
  s_.clock = s_.clock_offset = from_stamp(scan.stamp());
  build_free_list();
  pool_.judge_space();
  // Before the first program into a segment gone on with: the next mount must know which pages that may have touched.
  // Before the erase of a segment whose copies are undone: their originals were void as of the checkpoint before.
  const bool resumed = take_up_open(scan);
  if ((resumed || undone) && !s_.read_only && !write_checkpoint() && !s_.read_only) return FtlStatus::read_failed;
  return FtlStatus::ok;
}

void NandMedium::page(std::uint32_t segment, std::uint32_t slot, const nand::PageMetadata& record) {
  if (slot >= s_.slots) return;
  if (undo_ != nullptr) {
    undo_->page(segment, slot, record);
    return;
  }
  const std::uint32_t ppn = s_.segments.ppn(segment, slot);
  s_.segments.lpn_at(ppn) = record.lpn;
  const std::uint32_t other = s_.pages.ppn(record.lpn);
  if (sequences_[record.lpn] >= record.sequence) return;
  if (other != kUnmapped) {
    s_.segments.drop_valid(s_.segments.segment_of(other), s_.segments.slot_of(other));
  }
  s_.segments.set_valid(segment, slot);
  sequences_[record.lpn] = record.sequence;
  s_.lost.drop(record.lpn);
  s_.pages.map(record.lpn, ppn, std::max<std::uint32_t>(record.updates, 1), from_stamp(record.stamp));
}

void NandMedium::lost(std::uint32_t lpn, std::uint64_t after) {
  if (undo_ != nullptr || sequences_[lpn] > after) return;
  sequences_[lpn] = after;
  s_.lost.add(lpn);
  const std::uint32_t ppn = s_.pages.ppn(lpn);
  if (ppn == kUnmapped) return;
  s_.segments.drop_valid(s_.segments.segment_of(ppn), s_.segments.slot_of(ppn));
  s_.pages.unmap(lpn);
}

FlashStatus NandMedium::undo_copies(nand::Scan& scan, bool& undone) {
  nand::UndoCopies undo(store_, s_.segments, s_.pages, sequences_, stamp_shift());
  if (!undo.begin()) return FlashStatus::ok;
  undo_ = &undo;
  const FlashStatus status = scan.run(*this, true);
  undo_ = nullptr;
  const std::uint32_t freed = undo.end();
  undone = true;
  if (status != FlashStatus::ok || freed == kNone) return status;
  SegmentRow& row = s_.segments.row(freed);
  row.state = SegmentState::free;
  row.used = 0;
  row.unproven = true;
  const auto open = open_found_.begin();
  const auto end = std::remove_if(open, open + open_count_, [&](const auto& found) { return found.segment == freed; });
  open_count_ = static_cast<std::uint32_t>(end - open);
  return FlashStatus::ok;
}

void NandMedium::segment(const nand::ScannedSegment& found) {
  if (undo_ != nullptr) return;
  SegmentRow& row = s_.segments.row(found.segment);
  row.state = found.state;
  row.erase_count = found.erase_count;
  row.stream = found.region < kStreams ? found.region : kHot;
  row.opened_sequence = found.opened_sequence;
  row.opened_stamp = from_stamp(found.opened_stamp);
  row.retired = found.retired || found.state == SegmentState::bad;
  row.used = static_cast<std::uint16_t>(std::min(found.used, s_.slots));
  if (found.refresh || found.retired) want_refresh(found.segment);
  switch (found.state) {
    case SegmentState::bad:
      row.used = 0;
      ++s_.stats.bad_segments;
      break;
    case SegmentState::free:
      row.used = 0;
      row.unproven = true;
      break;
    case SegmentState::open:
      if (open_count_ < open_found_.size() && !found.retired) {
        open_found_[open_count_++] = found;
        break;
      }
      [[fallthrough]];  // its unused slots come back when it is cleaned
    default:
      if (found.state != SegmentState::fixed) {
        row.state = SegmentState::sealed;
        row.used = static_cast<std::uint16_t>(s_.slots);
      }
      break;
  }
}

bool NandMedium::take_up_open(nand::Scan& scan) {
  bool resumed = false;
  // One without live pages may be what an erase cut short left: not programmed again, but cleaned next.
  const auto lives = [&](const nand::ScannedSegment& found) { return s_.segments.row(found.segment).valid > 0; };
  for (std::uint32_t i = 0; i < open_count_; ++i) {
    std::uint32_t& active = s_.active[s_.segments.row(open_found_[i].segment).stream];
    if (lives(open_found_[i]) &&
        (active == kNone || s_.segments.row(active).opened_sequence < open_found_[i].opened_sequence))
      active = open_found_[i].segment;
  }
  for (std::uint32_t i = 0; i < open_count_; ++i) {
    const nand::ScannedSegment& found = open_found_[i];
    SegmentRow& row = s_.segments.row(found.segment);
    if (s_.active[row.stream] == found.segment && scan.resume(found)) {
      row.used = static_cast<std::uint16_t>(store_.used(found.segment));
      resumed = true;
      continue;
    }
    // No summary: its program, too, may have been cut before.
    pool_.close(found.segment);
  }
  for (std::uint32_t id = 0; id < s_.segments.segments(); ++id) {
    SegmentRow& row = s_.segments.row(id);
    if (row.state == SegmentState::sealed && row.valid == 0) row.unproven = true;
  }
  return resumed;
}

/// The least erased first: the order in which they became free is not on the medium.
void NandMedium::build_free_list() {
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < s_.segments.segments(); ++i)
    if (s_.segments.row(i).state == SegmentState::free) s_.order[count++] = i;
  std::sort(s_.order.begin(), s_.order.begin() + count, [&](std::uint32_t a, std::uint32_t b) {
    const std::uint32_t ea = s_.segments.row(a).erase_count;
    const std::uint32_t eb = s_.segments.row(b).erase_count;
    return ea != eb ? ea < eb : a < b;
  });
  for (std::uint32_t i = 0; i < count; ++i) s_.segments.push_free(s_.order[i]);
}

}  // namespace ftlab::fms
