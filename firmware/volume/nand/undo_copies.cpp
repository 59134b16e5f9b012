// Which segment, and which of several older copies is the original.
#include "firmware/volume/nand/undo_copies.h"

#include <utility>

namespace ftlab::nand {

bool UndoCopies::begin() {
  undone_ = kNone;
  std::uint32_t last = kNone;
  for (std::uint32_t id = 0; id < segments_.segments(); ++id) {
    const SegmentRow& row = segments_.row(id);
    if (row.state == SegmentState::free) return false;
    if (row.state != SegmentState::open && row.state != SegmentState::sealed) continue;
    if (row.valid == 0 && !row.retired) return false;
    if (last == kNone || row.opened_sequence > segments_.row(last).opened_sequence) last = id;
  }
  undone_ = last;
  return undone_ != kNone;
}

/// Whether the segment had a copy of the page, valid or not.
bool UndoCopies::held(std::uint32_t lpn) const {
  for (std::uint32_t slot = 0; slot < segments_.slots(); ++slot)
    if (segments_.lpn_at(segments_.ppn(undone_, slot)) == lpn) return true;
  return false;
}

/// A page that the host wrote after a trim may look like one from before it.
bool UndoCopies::is_copy(std::uint32_t ppn) {
  const std::uint32_t segment = segments_.segment_of(ppn);
  const auto found =
      store_.read_metadata(segment, store_.page_of(segment, segments_.row(segment).mode, segments_.slot_of(ppn)));
  return found.intact && found.metadata.copied;
}

void UndoCopies::page(std::uint32_t segment, std::uint32_t slot, const PageMetadata& metadata) {
  const std::uint32_t lpn = metadata.lpn;
  if (segment == undone_ || lpn >= pages_.size()) return;
  const std::uint32_t now = pages_.ppn(lpn);
  const std::uint32_t ppn = segments_.ppn(segment, slot);
  if (now == kUnmapped || now == ppn) return;
  // Copies keep both.
  const bool same = metadata.updates == pages_.updates(lpn) && metadata.stamp << stamp_shift_ == pages_.stamp(lpn);
  if (!same || metadata.updates == saturated(UINT32_MAX) || !held(lpn)) return;
  // Of several the newest: one written before a trim may look alike.
  const bool undone = segments_.segment_of(now) != undone_;
  if (undone && metadata.sequence <= sequences_[lpn]) return;
  if (!undone && !is_copy(now)) return;
  if (!store_.read_metadata(segment, store_.page_of(segment, segments_.row(segment).mode, slot)).intact) return;
  segments_.drop_valid(segments_.segment_of(now), segments_.slot_of(now));
  segments_.lpn_at(ppn) = lpn;
  segments_.set_valid(segment, slot);
  pages_.move(Lpn{lpn}, Ppn{ppn});
  sequences_[lpn] = metadata.sequence;
}

std::uint32_t UndoCopies::end() {
  const std::uint32_t undone = std::exchange(undone_, kNone);
  const SegmentRow& row = segments_.row(undone);
  return row.valid == 0 && !row.retired ? undone : kNone;
}

}  // namespace ftlab::nand
