// Finding and reading checkpoints, one page at a time through the store's scratch page.
#include <algorithm>
#include <cstring>
#include <utility>

#include "firmware/volume/nand/before_volume.h"
#include "firmware/volume/nand/checkpoint.h"
#include "firmware/volume/nand/checkpoint_words.h"

namespace ftlab::nand {
namespace {

/// A power loss at the start of a program leaves its slot blank.
constexpr std::uint32_t kBlanksAtEnd = 3;
/// More than one write() can take.
constexpr std::uint32_t kNumbersLeftOut = 16;

}  // namespace

void Checkpoints::survey(std::uint32_t which) {
  const std::uint32_t segment = segment_[which];
  holds_[which] = false;
  used_[which] = 0;
  if (segment == kNone) return;
  store_.set_mode(segment, PageMode::lsb_only);
  std::uint32_t blanks = 0;
  for (std::uint32_t slot = 0; slot < store_.pages(PageMode::lsb_only) && blanks < kBlanksAtEnd;) {
    const auto found = store_.read_metadata(segment, store_.page_of(segment, PageMode::lsb_only, slot));
    blanks = found.blank ? blanks + 1 : 0;
    const PageMetadata& metadata = found.metadata;
    if (found.intact && metadata.kind == PageKind::checkpoint && metadata.lpn == 0 && metadata.file > 0) {
      const auto number = static_cast<std::uint32_t>(metadata.sequence);
      number_ = std::max(number_, number);
      holds_[which] = true;
      erase_count_[which] = metadata.erase_count;
      if (number < below_ && number > best_.number) best_ = {which, slot, number, metadata.file};
      slot += std::min(metadata.file, store_.pages(PageMode::lsb_only) - slot);
    } else {
      // The first page of a checkpoint is programmed first: here it was lost.
      traces_ = traces_ || (found.intact && metadata.kind == PageKind::checkpoint);
      ++slot;
      if (found.blank) continue;
    }
    used_[which] = slot;
  }
}

void Checkpoints::set_segments(std::uint32_t first, std::uint32_t second) {
  segment_[0] = first;
  segment_[1] = second;
  for (std::uint32_t which = 0; which < 2; ++which) erase_count_[which] = next_slot_[which] = 0;
}

bool Checkpoints::find_newest() {
  below_ = kNone;
  for (;;) {
    best_ = {};
    survey(0);
    survey(1);
    if (best_.number == 0) return false;
    head_.kind = 0;
    if (read_checkpoint(best_)) return true;
    traces_ = traces_ || head_.kind != static_cast<std::uint16_t>(CheckpointKind::formatting);
    below_ = best_.number;
  }
}

bool Checkpoints::follow_segments() {
  // A checkpoint may name a checkpoint segment that holds newer ones, and those another one: after three nothing is
  // gained.
  for (std::uint32_t step = 0; step < 3; ++step) {
    if (!find_newest()) return false;
    const std::uint32_t segments = store_.geometry().segments;
    const bool named = head_.version == kCheckpointVersion && head_.checkpoint_segment[0] < segments &&
                       head_.checkpoint_segment[1] < segments &&
                       head_.checkpoint_segment[0] != head_.checkpoint_segment[1];
    if (!named || (head_.checkpoint_segment[0] == segment_[0] && head_.checkpoint_segment[1] == segment_[1]))
      return true;
    set_segments(head_.checkpoint_segment[0], head_.checkpoint_segment[1]);
  }
  return false;
}

bool Checkpoints::may_hold_checkpoints(std::uint32_t segment) {
  for (std::uint32_t slot = 0; slot < kBlanksAtEnd; ++slot) {
    const auto found = store_.read_metadata(segment, store_.page_of(segment, PageMode::lsb_only, slot));
    if (found.intact && found.metadata.kind == PageKind::checkpoint) return true;
    traces_ = traces_ || found.other_volume;
    // Data begins no segment of checkpoints.
    if (found.intact || found.blank || found.result.status == FlashStatus::timeout) return false;
  }
  return false;
}

FlashStatus Checkpoints::look_for_checkpoints(std::uint32_t segment, bool& any) {
  any = false;
  const BeforeVolume any_volume(store_);
  FlashStatus status = FlashStatus::ok;
  // Every page: an erase that failed may have left any.
  for (std::uint32_t slot = 0; slot < store_.pages(PageMode::lsb_only) && !any; ++slot) {
    const auto found = store_.read_metadata(segment, store_.page_of(segment, PageMode::lsb_only, slot));
    if (found.result.status == FlashStatus::timeout) status = FlashStatus::timeout;
    if (status != FlashStatus::ok) break;
    any = found.intact && found.metadata.kind == PageKind::checkpoint;
  }
  return status;
}

bool Checkpoints::search_all() {
  std::uint32_t newest = kNone;
  std::uint32_t number = 0;
  for (std::uint32_t segment = 0; segment < store_.geometry().segments; ++segment) {
    if (!may_hold_checkpoints(segment)) continue;
    set_segments(segment, kNone);
    if (!find_newest() || best_.number <= number) continue;
    newest = segment;
    number = best_.number;
  }
  if (newest == kNone) return false;
  set_segments(newest, kNone);
  return follow_segments() && segment_[1] != kNone;
}

Checkpoints::Found Checkpoints::load() {
  clear();
  store_.set_volume(0);
  choose_segments();
  bool found = segment_[0] == 0 && follow_segments();
  // What segment 0 reports may be old when it, or one it names, has failed since: such a one is marked, or empty.
  for (std::uint32_t which = 0; which < 2; ++which)
    found = found && holds_[which] && !store_.is_marked_bad(segment_[which]);
  if (!found && !search_all()) {
    const std::uint32_t number = number_;
    const bool damaged = traces_;
    clear();
    number_ = number;
    choose_segments();
    for (std::uint32_t& next : next_slot_) next = store_.pages(PageMode::lsb_only);
    return damaged ? Found::damaged : Found::nothing;
  }
  // Numbers of checkpoints that were written, but never counted, are left out.
  number_ += kNumbersLeftOut;
  current_ = best_.which;
  any_ = true;
  // Both are erased before they take anything: what is in the other one may be the rest of a torn erase, and
  // in this one the page after the last may have been on its way when power went, however often it did.
  for (std::uint32_t& next : next_slot_) next = store_.pages(PageMode::lsb_only);
  const FlashGeometry& g = store_.geometry();
  store_.set_volume(head_.volume);
  own_ = head_.own;
  for (std::uint32_t which = 0; which < 2; ++which) {
    erase_count_[which] = std::max<std::uint32_t>(erase_count_[which], head_.checkpoint_segment_erases[which]);
    decommissioned_[which] = store_.is_marked_bad(segment_[which]);
  }
  if (head_.version != kCheckpointVersion || head_.ftl != identity_.ftl || head_.layout != identity_.layout ||
      head_.segments != g.segments || head_.segment_bytes != g.segment_bytes ||
      head_.page_bytes != g.program_unit_bytes || head_.logical_pages != identity_.logical_pages)
    return Found::other_layout;
  // A checkpoint segment that failed is bad from then on; to decommission means to mark or erase, so nothing else is
  // taken for one.
  for (std::uint32_t segment = 0; segment < t_.rows.size(); ++segment)
    if ((t_.rows[segment].flags & kFailedFlag) != 0 && row(segment).state == SegmentState::bad) failed_ = segment;
  if (head_.kind == static_cast<std::uint16_t>(CheckpointKind::complete)) return Found::complete;
  // The second checkpoint segment got something behind "formatting" only once the first had a whole complete
  // checkpoint.
  const bool was_complete = used_[0] > best_.pages && used_[1] > best_.pages;
  return was_complete ? Found::damaged : Found::formatting;
}

bool Checkpoints::read_checkpoint(const Place& place) {
  // Other layouts may be longer than what there is room for: only the head is taken then.
  for (std::uint32_t index = 0; index < place.pages; ++index)
    if (!read_page(place, index)) return false;
  return true;
}

bool Checkpoints::read_page(const Place& place, std::uint32_t index) {
  const std::span<std::byte> page = store_.scratch();
  if (place.slot + index >= store_.pages(PageMode::lsb_only) ||
      !store_.read(segment_[place.which], place.slot + index, page).ok())
    return false;
  CheckpointPageHead head;
  std::memcpy(&head, page.data(), sizeof head);
  if (head.magic != kCheckpointMagic || head.number != place.number || head.index != index || head.pages != place.pages)
    return false;
  const std::span<const std::byte> body = page.subspan(sizeof head);
  if (head.check != crc32c(body.data(), body.size(), crc32c(&head, offsetof(CheckpointPageHead, check)))) return false;
  const auto words = static_cast<std::uint32_t>(body.size() / 4);
  for (std::uint32_t i = 0; i < words; ++i) {
    Le32 word;
    std::memcpy(&word, body.data() + 4 * i, 4);
    take_word(index * words + i, word);
  }
  return true;
}

void Checkpoints::take_word(std::uint32_t at, std::uint32_t word) {
  if (at < kHeadWords) {
    set_word(head_, at, word);
    return;
  }
  // Rows and bits of another geometry mean nothing here.
  if (head_.segments != t_.rows.size() || head_.logical_pages != identity_.logical_pages) return;
  at -= kHeadWords;
  const auto rows = static_cast<std::uint32_t>(t_.rows.size() * kRowWords);
  const auto bitmap = static_cast<std::uint32_t>(t_.bitmap.size());
  if (at < rows)
    set_word(t_.rows[at / kRowWords], at % kRowWords, word);
  else if (at - rows < bitmap)
    t_.bitmap[at - rows] = word;
  else if (at - rows - bitmap < t_.valid.size())
    t_.valid[at - rows - bitmap] = word;
}

}  // namespace ftlab::nand
