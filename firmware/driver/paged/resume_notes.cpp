#include "firmware/driver/paged/resume_notes.h"

#include <algorithm>
#include <cstring>

#include "firmware/base/crc32.h"
#include "firmware/driver/paged/page_layout.h"

namespace ftlab::paged {
std::uint32_t ResumeNotes::pages() const {
  return static_cast<std::uint32_t>((sizeof(WrittenNotes) + part_.program_unit_bytes - 1) / part_.program_unit_bytes);
}

void ResumeNotes::layout(Arena& arena) {
  page_ = arena.take<std::byte>(std::size_t{pages()} * part_.program_unit_bytes);
  spare_ = arena.take<std::byte>(part_.spare_bytes);
}

bool ResumeNotes::is_good(std::uint32_t segment) {
  PartOp check;
  check.kind = PartOpKind::check_bad;
  check.segment = SegmentId{segment};
  return is_ok(runner_.run_to_end(check));
}

std::span<const ResumeNote> ResumeNotes::load(std::uint32_t second) {
  std::uint32_t count = 0;
  sequence_ = 0;
  for (std::uint32_t which = 0; which < kSegments; ++which) {
    std::uint32_t& segment = segments_[which];
    segment = which == 0 ? 0 : std::max(second, segments_[0] + 1);
    const std::uint32_t end = std::min(segment + kTries, part_.segments);
    // SLC segments hold half as many pages.
    usable_[which] = 2 * pages() <= part_.segment_bytes / part_.program_unit_bytes;
    while (usable_[which] && !is_good(segment)) usable_[which] = ++segment < end;
    std::uint64_t sequence = 0;
    if (!usable_[which] || !read(which, sequence) || sequence <= sequence_) continue;
    sequence_ = sequence;
    newest_ = which;
    WrittenNotes written;
    std::memcpy(&written, page_.data(), sizeof written);
    count = std::min<std::uint32_t>(written.count, kMax);
    for (std::uint32_t i = 0; i < count; ++i) notes_[i] = {written.entries[i].segment, written.entries[i].unit};
  }
  return std::span(notes_).first(count);
}

bool ResumeNotes::read(std::uint32_t which, std::uint64_t& sequence) {
  for (std::uint32_t i = 0; i < pages(); ++i) {
    PartOp op;
    op.kind = PartOpKind::read;
    op.segment = SegmentId{segments_[which]};
    op.offset = i * part_.program_unit_bytes;
    op.length = part_.program_unit_bytes;
    op.into = page_.data() + op.offset;
    if (!is_ok(runner_.run_to_end(op))) return false;
  }
  WrittenNotes written;
  std::memcpy(&written, page_.data(), sizeof written);
  sequence = written.sequence;
  return written.magic == WrittenNotes{}.magic && written.check == crc32c(&written, offsetof(WrittenNotes, check));
}

bool ResumeNotes::write(std::span<const ResumeNote> notes) {
  if (notes.size() > kMax || !usable()) return false;
  const std::uint32_t which = 1 - newest_;
  WrittenNotes written;
  written.count = static_cast<std::uint32_t>(notes.size());
  written.sequence = sequence_ + 1;
  for (std::size_t i = 0; i < notes.size(); ++i) {
    written.entries[i].segment = notes[i].segment;
    written.entries[i].unit = static_cast<std::uint16_t>(notes[i].unit);
  }
  written.check = crc32c(&written, offsetof(WrittenNotes, check));
  std::ranges::fill(page_, std::byte{0xFF});
  std::ranges::fill(spare_, std::byte{0xFF});
  std::memcpy(page_.data(), &written, sizeof written);
  PartOp op;
  op.kind = PartOpKind::erase;
  op.segment = SegmentId{segments_[which]};
  PartStatus status = runner_.run_to_end(op);
  for (std::uint32_t i = 0; i < pages() && is_ok(status); ++i) {
    op.kind = PartOpKind::program;
    op.offset = i * part_.program_unit_bytes;
    op.length = part_.program_unit_bytes;
    op.from = page_.data() + op.offset;
    op.spare_from = spare_.data();
    status = runner_.run_to_end(op);
  }
  if (!is_ok(status)) {
    usable_[which] = false;
    return false;
  }
  newest_ = which;
  sequence_ = written.sequence;
  return true;
}

}  // namespace ftlab::paged
