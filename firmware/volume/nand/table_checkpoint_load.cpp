// Finding and reading checkpoints with the page table, and their log.
#include <algorithm>
#include <cstring>

#include "firmware/volume/nand/checkpoint_words.h"
#include "firmware/volume/nand/table_checkpoint.h"

namespace ftlab::nand {
namespace {

/// More than one write() can take.
constexpr std::uint32_t kTableNumbersLeftOut = 32;

}  // namespace

std::uint32_t TableCheckpoint::begins_in(std::uint32_t segment) {
  if (segment >= store_.geometry().segments) return 0;
  const auto found = store_.read_metadata(segment, 0);
  traces_ = traces_ || found.other_volume;
  if (!found.intact || found.metadata.kind != PageKind::checkpoint || found.metadata.lpn != 0) return 0;
  traces_ = true;
  const auto number = static_cast<std::uint32_t>(found.metadata.sequence);
  number_ = std::max(number_, number);
  return number;
}

bool TableCheckpoint::read_page(std::uint32_t segment, std::uint32_t slot, std::uint32_t number, std::uint32_t index,
                                std::uint32_t& pages) {
  if (segment >= store_.geometry().segments) return false;
  const std::span<std::byte> page = store_.scratch();
  store_.set_mode(segment, PageMode::lsb_only);
  if (!store_.read(segment, slot, page).ok()) return false;
  CheckpointPageHead head;
  std::memcpy(&head, page.data(), sizeof head);
  if (!intact_checkpoint_page(page) || head.number != number || head.index != index) return false;
  if (index == 0) pages = head.pages;
  if (head.pages != pages) return false;
  for (std::uint32_t i = 0; i < body_words(); ++i) {
    Le32 word;
    std::memcpy(&word, page.data() + sizeof head + 4 * std::size_t{i}, sizeof word);
    take_word(index * body_words() + i, word);
  }
  return true;
}

void TableCheckpoint::take_word(std::uint32_t at, std::uint32_t word) {
  if (at < kHeadWords) {
    set_word(head_, at, word);
    return;
  }
  // What follows means nothing here when it is of another geometry.
  if (head_.version != kTableVersion || head_.segments != rows_.size() || head_.logical_pages != table_.size()) return;
  at -= kHeadWords;
  const std::uint32_t own = count();
  if (at < own)
    places_[at] = word;
  else if (at < 2 * own)
    erase_counts_[at - own] = word;
  if (at < 2 * own) return;
  at -= 2 * own;
  const std::uint32_t words = kRowWords + kUseWords;
  const std::uint32_t segment = at / words;
  if (segment >= rows_.size()) {
    at -= static_cast<std::uint32_t>(rows_.size()) * words;
    if (at < table_.size()) table_[at] = word;
    return;
  }
  const std::uint32_t within = at % words;
  if (within < kRowWords) {
    set_word(rows_[segment], within, word);
    return;
  }
  std::uint64_t& half = within < kRowWords + 2 ? uses_[segment].opened_sequence : uses_[segment].opened_stamp;
  half = (within - kRowWords) % 2 == 0 ? word : half | std::uint64_t{word} << 32U;
}

/// The checkpoint that begins in the first segment of a group, which names the others.
bool TableCheckpoint::read(std::uint32_t group) {
  const std::uint32_t first = places_[group * group_segments_];
  const std::uint32_t number = begins_in(first);
  std::uint32_t pages = 0;
  head_ = {};
  if (number == 0 || !read_page(first, 0, number, 0, pages)) return false;
  // Of another layout: the head is all that is asked for.
  if (head_.version != kTableVersion || head_.segments != rows_.size() || head_.logical_pages != table_.size())
    return true;
  const std::uint32_t in_segment = store_.pages(PageMode::lsb_only);
  if (pages != pages_of(store_.geometry(), identity_.logical_pages)) return false;
  // Groups may have changed places since: the first segment says which of them it is.
  const std::uint32_t which = places_[0] == first ? 0U : 1U;
  if (places_[which * group_segments_] != first) return false;
  for (std::uint32_t index = 1; index < pages; ++index)
    if (!read_page(segment_at(which, index), index % in_segment, number, index, pages)) return false;
  if (!is_sane()) return false;
  groups_[which] = {number, 0};
  current_ = which;
  return true;
}

/// What was found may be old when a group has other segments since: then one of the two is marked or empty, or holds a
/// newer checkpoint, which was not looked for there.
bool TableCheckpoint::is_as_named(std::uint32_t group) {
  const std::uint32_t first = places_[group * group_segments_];
  const std::uint32_t number = begins_in(first);
  return number != 0 && number <= groups_[current_].number && !store_.is_marked_bad(first);
}

/// Numbers that index something, whatever wrote them.
bool TableCheckpoint::is_sane() const {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const auto before = places_.first(i);
    if (places_[i] >= rows_.size() || std::ranges::find(before, places_[i]) != before.end()) return false;
  }
  return std::ranges::all_of(
      rows_, [](const StoredRow& row) { return row.state <= static_cast<std::uint8_t>(SegmentState::bad); });
}

bool TableCheckpoint::read_newest(std::uint32_t first, std::uint32_t second) {
  std::uint32_t numbers[] = {begins_in(first), second != first ? begins_in(second) : 0};
  const std::uint32_t places[] = {first, second};
  for (int attempt = 0; attempt < 2; ++attempt) {
    const std::uint32_t newer = numbers[1] > numbers[0] ? 1 : 0;
    if (numbers[newer] == 0) return false;
    places_[0] = places[newer];
    if (read(0)) return true;
    numbers[newer] = 0;
  }
  return false;
}

/// The newest that is whole, wherever it begins.
bool TableCheckpoint::search_all() {
  for (std::uint32_t below = kNone;;) {
    std::uint32_t newest = 0;
    std::uint32_t segment = kNone;
    for (std::uint32_t id = 0; id < store_.geometry().segments; ++id) {
      const std::uint32_t number = begins_in(id);
      if (number <= newest || number >= below || store_.is_marked_bad(id)) continue;
      newest = number;
      segment = id;
    }
    if (segment == kNone) return false;
    places_[0] = segment;
    if (read(0)) return true;
    below = newest;
  }
}

bool TableCheckpoint::read_entry(std::uint32_t group, std::uint32_t index) {
  const std::uint32_t position = pages_of(store_.geometry(), identity_.logical_pages) + index;
  const std::uint32_t in_segment = store_.pages(PageMode::lsb_only);
  if (position >= group_segments_ * in_segment) return false;
  const std::uint32_t segment = segment_at(group, position);
  store_.set_mode(segment, PageMode::lsb_only);
  LogPage log;
  if (!store_.read(segment, position % in_segment, std::as_writable_bytes(std::span(&log, 1))).ok()) return false;
  if (log.magic != kLogMagic || log.sequence != head_.sequence || log.index != index || log.segment >= rows_.size() ||
      log.check != crc32c(&log, offsetof(LogPage, check)))
    return false;
  uses_[log.segment].reopened = true;
  // What was known of it is of its use before.
  rows_[log.segment] = packed({.erase_count = log.erase_count});
  return true;
}

/// Each entry is in both groups, unless one of them was not whole.
void TableCheckpoint::read_log() {
  for (std::uint32_t index = 0;; ++index)
    if (!read_entry(current_, index) && !read_entry(1 - current_, index)) return;
}

/// Nothing on the part counts, but numbers go on, the volume's, too: old checkpoints and pages may still be found.
void TableCheckpoint::start_anew() {
  const std::uint32_t number = number_;
  const std::uint32_t volume = head_.volume;
  clear();
  number_ = number;
  head_.volume = volume;
  choose_segments();
}

TableCheckpoint::Found TableCheckpoint::load() {
  clear();
  store_.set_volume(0);
  choose_segments();
  bool found = read_newest(places_[0], places_[group_segments_]);
  const bool ours =
      found && head_.version == kTableVersion && head_.segments == rows_.size() && head_.logical_pages == table_.size();
  for (std::uint32_t group = 0; group < 2 && found && ours; ++group) found = is_as_named(group);
  if (!found && !search_all()) {
    const bool damaged = traces_;
    start_anew();
    return damaged ? Found::damaged : Found::nothing;
  }
  number_ += kTableNumbersLeftOut;
  store_.set_volume(head_.volume);
  const FlashGeometry& g = store_.geometry();
  if (head_.version != kTableVersion || head_.ftl != identity_.ftl || head_.layout != identity_.layout ||
      head_.segments != g.segments || head_.segment_bytes != g.segment_bytes ||
      head_.page_bytes != g.program_unit_bytes || head_.logical_pages != identity_.logical_pages) {
    start_anew();
    return Found::other_layout;
  }
  if (head_.kind != static_cast<std::uint16_t>(CheckpointKind::complete)) return Found::formatting;
  read_log();
  return Found::complete;
}

}  // namespace ftlab::nand
