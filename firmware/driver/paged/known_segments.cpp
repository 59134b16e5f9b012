#include "firmware/driver/paged/known_segments.h"

#include <array>

namespace ftlab::paged {

void KnownSegments::layout(Arena& arena, const FlashGeometry& geometry, Resumed resumed) {
  geometry_ = geometry;
  resumed_ = resumed;
  segments_ = arena.take<KnownSegment>(geometry.segments);
  if (resumed == Resumed::noted) notes_.layout(arena);
}

void KnownSegments::load_notes() {
  loaded_ = true;
  if (resumed_ != Resumed::noted) return;
  const std::uint32_t second = geometry_.dies > 1 ? geometry_.segments_per_die() : 1;
  for (const ResumeNote& note : notes_.load(second))
    if (note.segment < segments_.size()) segments_[note.segment].attempted = static_cast<std::uint16_t>(note.unit);
  if (!notes_.usable()) return;
  // Behind those that hold nothing else it takes the place of one that has a marker, and is the layer's no more.
  for (const std::uint32_t segment : notes_.segments())
    if (!geometry_.is_unused(segment)) segments_[segment] = {.checked = true, .bad = true};
}

bool KnownSegments::may_be_torn(std::uint32_t page, const DecodedTag& tag) const {
  const std::uint32_t unit = unit_index_of(page);
  const KnownSegment& segment = segments_[segment_of(page)];
  if (!tag.blank || unit == 0) return tag.blank && segment.attempted > 0;
  if (resumed_ == Resumed::noted && !notes_.usable()) return true;
  return unit <= segment.attempted || segment.last.unit + 1U != unit || !segment.last.blank ||
         may_be_torn_slc(unit, segment);
}

bool KnownSegments::may_be_torn_slc(std::uint32_t unit, const KnownSegment& segment) const {
  if (segment.uses_all || !geometry_.is_lsb(unit)) return false;
  std::uint32_t before = unit - 1;
  while (!geometry_.is_lsb(before)) --before;
  return segment.last_lsb.unit != before || !segment.last_lsb.blank;
}

bool KnownSegments::judge(std::uint32_t page, const DecodedTag& tag) {
  KnownSegment& segment = segments_[segment_of(page)];
  const auto unit = static_cast<std::uint16_t>(unit_index_of(page));
  // Another page of the one judged last is blank, or torn, with it.
  const bool same = geometry_.pages_at_once > 1 && segment.last.unit == unit;
  const bool torn = same ? tag.blank && segment.last.torn : may_be_torn(page, tag);
  // What is not intact may be the trace of a program that reads as blank another time.
  if (tag.intact && unit >= segment.attempted) segment.attempted = 0;
  segment.last = {unit, tag.blank, tag.intact, torn};
  if (geometry_.is_lsb(unit)) segment.last_lsb = segment.last;
  segment.uses_all = segment.uses_all || (!geometry_.is_lsb(unit) && !tag.blank);
  return torn;
}

bool KnownSegments::may_program(std::uint32_t page) {
  const KnownSegment& known = segments_[segment_of(page)];
  if (known.unerased || known.refused || known.bad) return false;
  if (known.erased || resumed_ == Resumed::freely) return true;
  return resumed_ == Resumed::noted && (known.noted || note_resumed(page));
}

bool KnownSegments::note_resumed(std::uint32_t page) {
  KnownSegment& resumed = segments_[segment_of(page)];
  resumed.attempted = static_cast<std::uint16_t>(unit_index_of(page));
  std::array<ResumeNote, ResumeNotes::kMax> notes;
  std::uint32_t count = 0;
  for (std::uint32_t segment = 0; segment < segments_.size(); ++segment) {
    if (segments_[segment].attempted == 0) continue;
    if (count == notes.size()) return false;
    notes[count++] = {segment, segments_[segment].attempted};
  }
  resumed.noted = notes_.write(std::span(notes).first(count));
  return resumed.noted;
}

void KnownSegments::programmed(std::uint32_t page, bool ok) {
  KnownSegment& known = segments_[segment_of(page)];
  // A program that leaves no trace must be the only one: the next session takes one blank unit for used.
  known.refused = !ok;
  if (ok && unit_index_of(page) >= known.attempted) known.attempted = 0;
}

void KnownSegments::erased(std::uint32_t segment, bool ok) {
  KnownSegment& known = segments_[segment];
  known.erased = ok;
  known.unerased = !ok;
  if (!ok) return;
  known.refused = false;
  known.uses_all = false;
  known.attempted = 0;
}

}  // namespace ftlab::paged
