#include "firmware/driver/paged/segment_groups.h"

#include <algorithm>

namespace ftlab {

PartGeometry grouped(const PartGeometry& part, std::uint32_t units) {
  PartGeometry geometry = part;
  geometry.segments /= units;
  geometry.segment_bytes *= units;
  return geometry;
}

SegmentGroups::SegmentGroups(PartPort& part, std::uint32_t units)
    : part_(part), units_(units), geometry_(grouped(part.geometry(), units)), capabilities_(part.capabilities()) {
  capabilities_.copy_back = false;
  capabilities_.queue_depth = std::min<std::uint32_t>(capabilities_.queue_depth, kMaxUnderWay);
}

bool SegmentGroups::has_more(const UnderWay& one) const {
  return one.begun < (one.op.kind == PartOpKind::erase ? units_ : one.op.length);
}

PartOp SegmentGroups::next_piece(std::size_t place) {
  UnderWay& one = under_way_[place];
  const std::uint32_t unit_bytes = part_.geometry().segment_bytes;
  const std::uint32_t first_unit = one.op.segment.value() * units_;
  PartOp piece = one.op;
  piece.tag = static_cast<std::uint32_t>(place) + 1;
  if (one.op.kind == PartOpKind::erase) {
    piece.segment = SegmentId{first_unit + units_ - 1 - one.begun++};
    return piece;
  }
  const std::uint32_t at = one.op.offset + one.begun;
  piece.segment = SegmentId{first_unit + at / unit_bytes};
  piece.offset = at % unit_bytes;
  piece.length = std::min(one.op.length - one.begun, unit_bytes - piece.offset);
  if (piece.into != nullptr) piece.into += one.begun;
  if (piece.from != nullptr) piece.from += one.begun;
  one.begun += piece.length;
  return piece;
}

std::size_t SegmentGroups::submit(std::span<const PartOp> ops) {
  std::array<PartOp, kMaxUnderWay> pieces;
  std::size_t count = 0;
  for (const PartOp& op : ops) {
    const auto free = std::ranges::find(under_way_, false, &UnderWay::taken);
    if (free == under_way_.end()) break;
    *free = {op, {op.tag, PartStatus::ok, 0}, 0, true};
    pieces[count++] = next_piece(static_cast<std::size_t>(free - under_way_.begin()));
  }
  const std::size_t accepted = part_.submit(std::span(pieces).first(count));
  for (std::size_t i = accepted; i < count; ++i) under_way_[pieces[i].tag - 1].taken = false;
  return accepted;
}

std::optional<PartDone> SegmentGroups::piece_ended(const PartDone& piece) {
  const std::size_t place = piece.tag - 1;
  UnderWay& one = under_way_[place];
  one.done.corrected_bits = std::max(one.done.corrected_bits, piece.corrected_bits);
  if (piece.status != PartStatus::ok) one.done.status = piece.status;
  const bool good = piece.status == PartStatus::ok || piece.status == PartStatus::corrected;
  if (good && has_more(one)) {
    const PartOp next = next_piece(place);
    // The piece that ended left its place in the part's queue.
    if (part_.submit({&next, 1}) != 1) __builtin_trap();
    return std::nullopt;
  }
  one.taken = false;
  return one.done;
}

std::size_t SegmentGroups::reap(std::span<PartDone> done, bool wait) {
  std::size_t count = 0;
  while (count < done.size()) {
    std::array<PartDone, kMaxUnderWay> pieces;
    const auto room = std::span(pieces).first(std::min(pieces.size(), done.size() - count));
    const std::size_t ended = part_.reap(room, wait && count == 0);
    if (ended == 0) break;
    for (const PartDone& piece : room.first(ended))
      if (const auto whole = piece_ended(piece)) done[count++] = *whole;
  }
  return count;
}

}  // namespace ftlab
