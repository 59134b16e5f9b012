// Segments that an earlier session left partly written: what may have been programmed there, and what may be.
#include <algorithm>
#include <array>

#include "firmware/driver/paged/paged_flash.h"

namespace ftlab {

using paged::DecodedTag;
using paged::Steps;
using paged::TagKind;

bool PagedFlash::may_be_torn(const Die& die, const DecodedTag& tag) const {
  const ArrayOp& op = die.queue[die.first].op;
  const std::uint32_t index = index_of(op.page);
  if (!tag.blank || index == 0) return tag.blank && known_[segment_of(op.page)].attempted > 0;
  if (page_layout_.spare() && !notes_.usable()) return true;
  return index <= known_[segment_of(op.page)].attempted || die.previous_page != op.page - 1 || !die.previous_blank;
}

bool PagedFlash::judge_end(Die& die, const DecodedTag& tag) {
  const ArrayOp& op = die.queue[die.first].op;
  const std::uint32_t segment = segment_of(op.page);
  const std::uint32_t index = index_of(op.page);
  if (op.buffer != ArrayOp::kNoBuffer || known_[segment].erased) return false;
  const bool torn = may_be_torn(die, tag);
  const bool intact_before = die.previous_page == op.page - 1 && die.previous_intact;
  // What is not intact may be the trace of a program that reads as blank another time.
  if (tag.intact && index >= known_[segment].attempted) known_[segment].attempted = 0;
  if (torn) die.done.status = ArrayStatus::uncorrectable;
  die.previous_page = op.page;
  die.previous_blank = tag.blank;
  die.previous_intact = tag.intact;
  if (page_layout_.spare()) return false;
  // An entry that a power loss left half cleared reads as it likes until it is cleared again; so would the next page's,
  // which may have data without an entry.
  Steps steps;
  if (torn) {
    if (intact_before) steps.add(page_layout_.program_entry(segment, index - 1, die.previous.data()));
    encode_beside(die, {}, TagKind::void_, nullptr);
    steps.add(page_layout_.program_entry(segment, index, die.beside.data()));
  } else if (tag.intact) {
    std::ranges::copy(die.beside, die.previous.begin());
    if (index + 1 == geometry_.pages_per_segment)
      steps.add(page_layout_.program_entry(segment, index, die.previous.data()));
  }
  if (steps.count == 0) return false;
  run(die, Phase::settling, steps);
  return true;
}

void PagedFlash::load_notes() {
  notes_loaded_ = true;
  if (!page_layout_.spare()) return;
  const std::uint32_t second = geometry_.dies > 1 ? geometry_.segments_per_die() : 1;
  for (const paged::ResumeNote& note : notes_.load(second))
    if (note.segment < known_.size()) known_[note.segment].attempted = static_cast<std::uint16_t>(note.page);
  if (!notes_.usable()) return;
  // Behind those that hold nothing else it takes the place of one that has a marker, and is the layer's no more.
  for (const std::uint32_t segment : notes_.segments())
    if (!geometry_.is_unused(segment)) known_[segment] = {.checked = true, .bad = true};
}

bool PagedFlash::may_program(std::uint32_t page) {
  const Known& known = known_[segment_of(page)];
  if (known.unerased || known.refused || known.bad) return false;
  return !page_layout_.spare() || known.erased || known.noted || note_resumed(page);
}

bool PagedFlash::note_resumed(std::uint32_t page) {
  Known& resumed = known_[segment_of(page)];
  resumed.attempted = static_cast<std::uint16_t>(index_of(page));
  std::array<paged::ResumeNote, paged::ResumeNotes::kMax> notes;
  std::uint32_t count = 0;
  for (std::uint32_t segment = 0; segment < known_.size(); ++segment) {
    if (known_[segment].attempted == 0) continue;
    if (count == notes.size()) return false;
    notes[count++] = {segment, known_[segment].attempted};
  }
  resumed.noted = notes_.write(std::span(notes).first(count));
  return resumed.noted;
}

void PagedFlash::programmed(std::uint32_t page, bool ok) {
  Known& known = known_[segment_of(page)];
  // A program that leaves no trace must be the only one: the next session takes one blank page for used.
  known.refused = !ok;
  if (ok && index_of(page) >= known.attempted) known.attempted = 0;
}

}  // namespace ftlab
