#include "firmware/volume/nand/recovery.h"

#include <algorithm>

namespace ftlab::nand {

FtlStatus Recovery::load() {
  switch (checkpoints_.load()) {
    case Checkpoints::Found::nothing:
    case Checkpoints::Found::formatting:
      return FtlStatus::not_formatted;
    case Checkpoints::Found::other_layout:
      return FtlStatus::bad_config;
    case Checkpoints::Found::damaged:
      return FtlStatus::read_failed;
    case Checkpoints::Found::complete:
      break;
  }
  return FtlStatus::ok;
}

FlashStatus Recovery::scan() {
  const FlashStatus status = scan_.run(*this);
  if (status != FlashStatus::ok) return status;
  for (std::uint32_t lpn = 0; lpn < tables_.pages.size(); ++lpn)
    if (tables_.pages.ppn(lpn) == kUnmapped && checkpoints_.mapped(lpn)) tables_.lost.add(lpn);
  return FlashStatus::ok;
}

void Recovery::page(std::uint32_t segment, std::uint32_t slot, const PageMetadata& record) {
  auto& [segments, pages, lost, sequences, stamp_shift] = tables_;
  if (slot >= segments.slots() || record.lpn >= pages.size()) return;
  if (undo_ != nullptr) {
    undo_->page(segment, slot, record);
    return;
  }
  const std::uint32_t ppn = segments.ppn(segment, slot);
  // A page table that names a slot twice is damaged in spite of its checksums.
  if (segments.is_valid(segment, slot) && segments.lpn_at(ppn) != record.lpn) return;
  segments.lpn_at(ppn) = record.lpn;
  if (sequences[record.lpn] >= record.sequence) return;
  const std::uint32_t other = pages.ppn(record.lpn);
  if (other != kUnmapped) segments.drop_valid(segments.segment_of(other), segments.slot_of(other));
  segments.set_valid(segment, slot);
  sequences[record.lpn] = record.sequence;
  lost.drop(record.lpn);
  const std::uint64_t stamp = std::min(record.stamp, UINT64_MAX >> stamp_shift) << stamp_shift;
  pages.map(Lpn{record.lpn}, Ppn{ppn}, std::max<std::uint32_t>(record.updates, 1), stamp);
  found_page(record);
}

void Recovery::lost(std::uint32_t lpn, std::uint64_t after) {
  auto& [segments, pages, lost, sequences, stamp_shift] = tables_;
  if (undo_ != nullptr || lpn >= pages.size() || sequences[lpn] > after) return;
  sequences[lpn] = after;
  lost.add(lpn);
  const std::uint32_t ppn = pages.ppn(lpn);
  if (ppn == kUnmapped) return;
  segments.drop_valid(segments.segment_of(ppn), segments.slot_of(ppn));
  pages.unmap(lpn);
}

Recovery::Undone Recovery::undo_copies() {
  UndoCopies undo(store_, tables_.segments, tables_.pages, tables_.sequences, tables_.stamp_shift);
  Undone result;
  if (!undo.begin()) return result;
  undo_ = &undo;
  result.status = scan_.run(*this, true);
  undo_ = nullptr;
  result.undone = true;
  result.freed = undo.end();
  return result;
}

}  // namespace ftlab::nand
