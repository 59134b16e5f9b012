// Writing checkpoints with the page table and their log, one page at a time through the store's scratch page.
#include "firmware/volume/nand/table_checkpoint.h"

#include <algorithm>
#include <cstring>

#include "firmware/volume/nand/before_volume.h"
#include "firmware/volume/nand/checkpoint_words.h"

namespace ftlab::nand {
namespace {

constexpr std::uint32_t kMinTableOpenings = 64;
/// Of one write(): both groups, with some segments of them replaced.
constexpr std::uint32_t kTableAttempts = 8;

}  // namespace

TableCheckpoint::TableCheckpoint(PageIo& store, const VolumeIdentity& identity)
    : store_(store), identity_(identity), group_segments_(group_of(store.geometry())) {}

std::uint32_t TableCheckpoint::openings_between(const FlashGeometry& geometry) {
  return std::max(kMinTableOpenings, geometry.segments);
}

std::uint32_t TableCheckpoint::pages_of(const SlotGeometry& geometry, std::uint32_t logical_pages) {
  const std::uint64_t body = sizeof(CheckpointHead) + std::uint64_t{group_of(geometry)} * 2 * 8 +
                             std::uint64_t{geometry.segments} * (sizeof(StoredRow) + sizeof(StoredUse)) +
                             std::uint64_t{logical_pages} * 4;
  const std::uint64_t room = geometry.program_unit_bytes - sizeof(CheckpointPageHead);
  return static_cast<std::uint32_t>((body + room - 1) / room);
}

/// The fewest segments that hold the largest table, the list of the groups' own segments and the log.
std::uint32_t TableCheckpoint::group_of(const SlotGeometry& geometry) {
  if (geometry.program_unit_bytes <= sizeof(CheckpointPageHead)) return 1;
  const std::uint64_t pages = std::max<std::uint32_t>(lsb_pages(geometry), 1);
  const std::uint64_t room = geometry.program_unit_bytes - sizeof(CheckpointPageHead);
  const std::uint64_t slots = std::uint64_t{geometry.segments} * PageIo::slots_of(geometry);
  const std::uint64_t body = sizeof(CheckpointHead) + slots * 4 +
                             std::uint64_t{geometry.segments} * (sizeof(StoredRow) + sizeof(StoredUse) + 8);
  return static_cast<std::uint32_t>(((body + room - 1) / room + openings_between(geometry) + pages - 1) / pages);
}

const char* TableCheckpoint::check(const SlotGeometry& geometry) {
  if (std::uint64_t{segments_of(geometry)} + 4 > geometry.segments / geometry.parallel_units)
    return "the part has too few segments for checkpoints with the page table";
  if (std::uint64_t{geometry.segments} * PageIo::slots_of(geometry) > 0xFFFF0000U)
    return "more pages than a page number of 32 bits can distinguish";
  if (pages_of(geometry, geometry.segments * PageIo::slots_of(geometry)) > 0xFFFF)
    return "a checkpoint takes more than 65535 pages; use larger ones";
  return nullptr;
}

void TableCheckpoint::measure(Arena& arena, const SlotGeometry& geometry, std::uint32_t logical_pages) {
  (void)arena.take<std::uint32_t>(segments_of(geometry));
  (void)arena.take<std::uint32_t>(segments_of(geometry));
  (void)arena.take<StoredRow>(geometry.segments);
  (void)arena.take<Use>(geometry.segments);
  (void)arena.take<std::uint32_t>(logical_pages);
}

void TableCheckpoint::layout(Arena& arena) {
  places_ = arena.take<std::uint32_t>(std::size_t{2} * group_segments_);
  erase_counts_ = arena.take<std::uint32_t>(std::size_t{2} * group_segments_);
  rows_ = arena.take<StoredRow>(store_.geometry().segments);
  uses_ = arena.take<Use>(store_.geometry().segments);
  table_ = arena.take<std::uint32_t>(identity_.logical_pages);
}

void TableCheckpoint::clear() {
  std::fill(erase_counts_.begin(), erase_counts_.end(), 0U);
  std::fill(rows_.begin(), rows_.end(), StoredRow{});
  std::fill(uses_.begin(), uses_.end(), Use{});
  std::fill(table_.begin(), table_.end(), kNone);
  for (std::uint32_t i = 0; i < places_.size(); ++i) places_[i] = i;
  head_ = {};
  groups_[0] = groups_[1] = {};
  current_ = number_ = erases_ = 0;
  log_usable_ = traces_ = false;
}

void TableCheckpoint::choose_segments() {
  std::uint32_t segment = 0;
  for (std::uint32_t& place : places_) {
    while (segment + 1 < store_.geometry().segments && store_.is_marked_bad(segment)) ++segment;
    place = segment++;
  }
}

bool TableCheckpoint::is_checkpoint_segment(std::uint32_t segment) const {
  return std::find(places_.begin(), places_.end(), segment) != places_.end();
}

CheckpointRow TableCheckpoint::row(std::uint32_t segment) const {
  CheckpointRow row = unpacked(rows_[segment]);
  row.opened_sequence = uses_[segment].opened_sequence & kMax40;
  row.region = static_cast<std::uint8_t>(uses_[segment].opened_sequence >> 56U);
  row.opened_stamp = uses_[segment].opened_stamp;
  row.refresh = ((uses_[segment].opened_sequence >> kRefreshBit) & 1U) != 0;
  return row;
}

std::uint32_t TableCheckpoint::ppn(std::uint32_t lpn) const {
  const std::uint32_t ppn = table_[lpn];
  if (ppn >= kLostEntry) return kNone;
  const std::uint32_t segment = ppn / slots();
  return segment < rows_.size() && !uses_[segment].reopened ? ppn : kNone;
}

std::uint32_t TableCheckpoint::segment_at(std::uint32_t group, std::uint32_t position) const {
  return places_[group * group_segments_ + position / store_.pages(PageMode::lsb_only)];
}

std::uint32_t TableCheckpoint::word_at(std::uint32_t at, const CheckpointSource& source) const {
  if (at < kHeadWords) return word_of(head_, at);
  at -= kHeadWords;
  const std::uint32_t own = count();
  if (at < 2 * own) return at < own ? places_[at] : erase_counts_[at - own];
  at -= 2 * own;
  const std::uint32_t segments = store_.geometry().segments;
  const std::uint32_t words = kRowWords + kUseWords;
  if (at < segments * words) {
    const CheckpointRow row = source.checkpoint_row(at / words);
    if (at % words < kRowWords) return word_of(packed(row), at % words);
    const StoredUse use{(row.opened_sequence & kMax40) | std::uint64_t{row.refresh ? 1U : 0U} << kRefreshBit |
                            std::uint64_t{row.region} << 56U,
                        row.opened_stamp};
    return word_of(use, at % words - kRowWords);
  }
  at -= segments * words;
  return at < identity_.logical_pages ? source.checkpoint_ppn(at) : kNone;
}

FlashStatus TableCheckpoint::program(std::uint32_t group, std::uint32_t position, std::uint32_t index,
                                     std::uint32_t pages) {
  const std::uint32_t segment = segment_at(group, position);
  PageMetadata metadata;
  metadata.kind = PageKind::checkpoint;
  metadata.lpn = index;
  metadata.sequence = number_;
  metadata.file = pages;
  metadata.erase_count = erase_counts_[group * group_segments_ + position / store_.pages(PageMode::lsb_only)];
  store_.set_mode(segment, PageMode::lsb_only);
  const BeforeVolume any_volume(store_);
  return store_.program(segment, position % store_.pages(PageMode::lsb_only), metadata, store_.scratch().data()).status;
}

FlashStatus TableCheckpoint::decommission(std::uint32_t segment) {
  if (store_.is_marked_bad(segment)) return FlashStatus::ok;
  const FlashStatus marked = store_.mark_bad(segment);
  if (marked == FlashStatus::ok || marked == FlashStatus::timeout) return marked;
  const BeforeVolume any_volume(store_);
  for (std::uint32_t attempt = 0; attempt < kDecommissionErases; ++attempt) {
    if (begins_in(segment) == 0) return FlashStatus::ok;
    if (const FlashStatus status = store_.erase(segment); status == FlashStatus::timeout) return status;
  }
  return any_begins_elsewhere() ? FlashStatus::program_failed : FlashStatus::ok;
}

bool TableCheckpoint::any_begins_elsewhere() {
  for (std::uint32_t id = 0; id < store_.geometry().segments; ++id)
    if (id != places_[0] && id != places_[group_segments_] && begins_in(id) != 0 && !store_.is_marked_bad(id))
      return true;
  return false;
}

FlashStatus TableCheckpoint::replace(std::uint32_t which, CheckpointSource& source) {
  // Where a group begins a mount looks first: what begins there must not pass for the newest checkpoint.
  if (which % group_segments_ == 0) {
    const FlashStatus status = decommission(places_[which]);
    if (status != FlashStatus::ok) return status;
  }
  const std::uint32_t next = source.replace_checkpoint_segment(places_[which]);
  if (next == kNone) return FlashStatus::program_failed;
  if (!store_.is_marked_bad(places_[which])) (void)store_.mark_bad(places_[which]);
  places_[which] = next;
  erase_counts_[which] = source.checkpoint_row(next).erase_count;
  return FlashStatus::ok;
}

FlashStatus TableCheckpoint::erase_group(std::uint32_t group, CheckpointSource& source) {
  groups_[group] = {};
  for (std::uint32_t i = 0; i < group_segments_; ++i) {
    const std::uint32_t which = group * group_segments_ + i;
    // A checkpoint from before its failure may have named it.
    const auto erase = [&] {
      return store_.is_marked_bad(places_[which]) ? FlashStatus::erase_failed : store_.erase(places_[which]);
    };
    FlashStatus status = erase();
    for (std::uint32_t attempt = 0; attempt < kTableAttempts && status == FlashStatus::erase_failed; ++attempt) {
      status = replace(which, source);
      if (status != FlashStatus::ok) return status;
      status = erase();
    }
    if (status != FlashStatus::ok) return status;
    ++erases_;
    ++erase_counts_[which];
  }
  return FlashStatus::ok;
}

/// skipped: a segment failed and was replaced, so that the whole group is written again.
FlashStatus TableCheckpoint::write_group(std::uint32_t group, CheckpointSource& source) {
  FlashStatus status = erase_group(group, source);
  if (status != FlashStatus::ok) return status;
  ++number_;
  head_.checkpoint_segment[0] = places_[0];
  head_.checkpoint_segment[1] = places_[group_segments_];
  const std::uint32_t pages = pages_of(store_.geometry(), identity_.logical_pages);
  const std::span<std::byte> page = store_.scratch();
  for (std::uint32_t index = 0; index < pages; ++index) {
    for (std::uint32_t i = 0; i < body_words(); ++i) {
      const Le32 word = word_at(index * body_words() + i, source);
      std::memcpy(page.data() + sizeof(CheckpointPageHead) + 4 * std::size_t{i}, &word, sizeof word);
    }
    seal_checkpoint_page(page, number_, index, pages);
    status = program(group, index, index, pages);
    if (status != FlashStatus::program_failed) {
      if (status != FlashStatus::ok) return status;
      continue;
    }
    const std::uint32_t failed = group * group_segments_ + index / store_.pages(PageMode::lsb_only);
    const FlashStatus replaced = replace(failed, source);
    return replaced == FlashStatus::ok ? FlashStatus::skipped : replaced;
  }
  groups_[group] = {number_, 0};
  return FlashStatus::ok;
}

FlashStatus TableCheckpoint::write(CheckpointKind kind, std::uint64_t sequence, std::uint64_t clock, std::uint64_t own,
                                   CheckpointSource& source) {
  const FlashGeometry& g = store_.geometry();
  head_ = {kTableVersion,
           static_cast<std::uint16_t>(kind),
           store_.volume(),
           identity_.ftl,
           identity_.layout,
           g.segments,
           g.segment_bytes,
           g.program_unit_bytes,
           identity_.logical_pages,
           sequence,
           clock,
           {0, 0},
           {0, 0},
           own};
  log_usable_ = false;
  // First over the older one: until it is whole the newest before stays.
  std::uint32_t group = groups_[current_].number != 0 ? 1 - current_ : current_;
  std::uint32_t written = 0;
  FlashStatus status = FlashStatus::ok;
  for (std::uint32_t attempt = 0; attempt < kTableAttempts && written < 2; ++attempt) {
    status = write_group(group, source);
    if (status == FlashStatus::ok) {
      current_ = group;
      group = 1 - group;
      ++written;
    } else if (status != FlashStatus::skipped) {
      break;
    }
  }
  // One whole checkpoint keeps everything; the other group is tried again with the next.
  if (written == 0) return status == FlashStatus::skipped ? FlashStatus::program_failed : status;
  log_usable_ = true;
  return FlashStatus::ok;
}

FlashStatus TableCheckpoint::log_opening(std::uint32_t segment, std::uint32_t erase_count) {
  if (!log_usable_) return FlashStatus::skipped;
  const std::uint32_t pages = pages_of(store_.geometry(), identity_.logical_pages);
  const std::uint32_t entry = groups_[current_].entries;
  if (pages + entry >= group_segments_ * store_.pages(PageMode::lsb_only)) return FlashStatus::skipped;
  for (const std::uint32_t group : {current_, 1 - current_}) {
    if (groups_[group].number == 0) continue;
    const std::span<std::byte> page = store_.scratch();
    std::ranges::fill(page, std::byte{0xFF});
    LogPage log{kLogMagic, 0, head_.sequence, entry, segment, erase_count, 0};
    log.check = crc32c(&log, offsetof(LogPage, check));
    std::memcpy(page.data(), &log, sizeof log);
    groups_[group].entries = entry + 1;
    const FlashStatus status = program(group, pages + entry, pages + entry, 0);
    if (status == FlashStatus::ok) continue;
    // The next checkpoint takes the place of both logs.
    log_usable_ = false;
    return status;
  }
  return FlashStatus::ok;
}

}  // namespace ftlab::nand
