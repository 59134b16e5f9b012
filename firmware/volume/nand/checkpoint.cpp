// Writing checkpoints, one page at a time through the store's scratch page, and replacing their checkpoint segments.
#include "firmware/volume/nand/checkpoint.h"

#include <algorithm>
#include <cstring>

#include "firmware/volume/nand/before_volume.h"
#include "firmware/volume/nand/checkpoint_words.h"

namespace ftlab::nand {
namespace {

/// Of one write(): both checkpoint segments, new ones for them, and both again.
constexpr std::uint32_t kAttempts = 12;

/// Each erase that fails takes some of what a worn segment still shows.
constexpr std::uint32_t kDecommissionErases = 16;

constexpr std::uint32_t bitmap_words(std::uint32_t logical_pages) { return (logical_pages + 31) / 32; }

}  // namespace

std::uint32_t Checkpoints::slot_words(const FlashGeometry& geometry) {
  return geometry.program_unit_bytes == 0 ? 0 : (geometry.segment_bytes / geometry.program_unit_bytes + 31) / 32;
}

std::uint32_t Checkpoints::pages_of(const FlashGeometry& geometry, std::uint32_t logical_pages) {
  const std::uint64_t body = sizeof(CheckpointHead) +
                             std::uint64_t{geometry.segments} * (sizeof(StoredRow) + slot_words(geometry) * 4) +
                             std::uint64_t{bitmap_words(logical_pages)} * 4;
  const std::uint64_t room = geometry.program_unit_bytes - sizeof(CheckpointPageHead);
  return static_cast<std::uint32_t>((body + room - 1) / room);
}

const char* Checkpoints::check(const FlashGeometry& geometry, std::uint32_t logical_pages) {
  if (pages_of(geometry, logical_pages) + 2 > lsb_pages(geometry))
    return "a checkpoint (erase counts, mapped pages, valid slots) does not fit into the LSB pages of one segment";
  return nullptr;
}

std::uint32_t Checkpoints::openings_between(const FlashGeometry& geometry, const VolumeIdentity& identity) {
  if (geometry.program_unit_bytes <= sizeof(CheckpointPageHead)) return kMinOpenings;  // PageIo::check refuses it
  const std::uint32_t pages = pages_of(geometry, identity.logical_pages);
  const std::uint32_t fit = std::max<std::uint32_t>(lsb_pages(geometry) / pages, 1);
  // Each checkpoint goes to both segments: one erase of each for `fit` checkpoints.
  const std::uint32_t segments = identity.data_segments == 0 ? geometry.segments : identity.data_segments;
  return std::max(kMinOpenings, (segments + fit - 1) / fit);
}

std::uint32_t Checkpoints::pages_needed() const { return pages_of(store_.geometry(), identity_.logical_pages); }

void CheckpointTables::layout(Arena& arena, const FlashGeometry& geometry, std::uint32_t logical_pages) {
  rows = arena.take<StoredRow>(geometry.segments);
  bitmap = arena.take<std::uint32_t>(bitmap_words(logical_pages));
  valid = arena.take<std::uint32_t>(std::size_t{geometry.segments} * Checkpoints::slot_words(geometry));
}

void Checkpoints::clear() {
  openings_ = 0;
  own_ = 0;
  changed_ = failure_ = false;
  std::fill(t_.rows.begin(), t_.rows.end(), StoredRow{});
  std::fill(t_.bitmap.begin(), t_.bitmap.end(), 0U);
  std::fill(t_.valid.begin(), t_.valid.end(), 0U);
  head_ = {};
  segment_[0] = 0;
  segment_[1] = 1;
  for (std::uint32_t which = 0; which < 2; ++which) {
    erase_count_[which] = next_slot_[which] = 0;
    usable_[which] = true;
    holds_[which] = decommissioned_[which] = false;
  }
  current_ = number_ = erases_ = 0;
  any_ = traces_ = false;
  failed_ = unnamed_ = kNone;
}

void Checkpoints::choose_segments() {
  const std::uint32_t in_unit = store_.geometry().segments / store_.geometry().parallel_units;
  const auto good_from = [&](std::uint32_t segment) {
    while (segment + 1 < in_unit && store_.is_marked_bad(segment)) ++segment;
    return segment;
  };
  segment_[0] = good_from(0);
  segment_[1] = good_from(segment_[0] + 1);
}

CheckpointRow Checkpoints::row(std::uint32_t segment) const { return unpacked(t_.rows[segment]); }

std::uint32_t Checkpoints::word_at(std::uint32_t at, const CheckpointSource& source) const {
  if (at < kHeadWords) return word_of(head_, at);
  at -= kHeadWords;
  const std::uint32_t segments = store_.geometry().segments;
  if (at < segments * kRowWords) return word_of(stored_row(at / kRowWords, source), at % kRowWords);
  at -= segments * kRowWords;
  if (at >= bitmap_words(identity_.logical_pages)) {
    at -= bitmap_words(identity_.logical_pages);
    if (at >= segments * slot_words_) return 0xFFFFFFFF;
    const std::uint32_t first = at % slot_words_ * 32;
    const std::uint32_t slots = store_.slots(PageMode::full);
    return first < slots ? source.checkpoint_valid(at / slot_words_, first, std::min<std::uint32_t>(slots - first, 32))
                         : 0;
  }
  return source.checkpoint_mapped(at * 32, std::min<std::uint32_t>(identity_.logical_pages - at * 32, 32));
}

StoredRow Checkpoints::stored_row(std::uint32_t segment, const CheckpointSource& source) const {
  StoredRow row = packed(source.checkpoint_row(segment));
  if (segment == failed_) row.flags |= kFailedFlag;
  return row;
}

FlashStatus Checkpoints::write_at(std::uint32_t which, const CheckpointSource& source) {
  const std::uint32_t pages = pages_needed();
  const std::span<std::byte> page = store_.scratch();
  const auto words = static_cast<std::uint32_t>((page.size() - sizeof(CheckpointPageHead)) / 4);
  store_.set_mode(segment_[which], PageMode::lsb_only);
  for (std::uint32_t index = 0; index < pages; ++index) {
    for (std::uint32_t i = 0; i < words; ++i) {
      const Le32 word = word_at(index * words + i, source);
      std::memcpy(page.data() + sizeof(CheckpointPageHead) + 4 * std::size_t{i}, &word, 4);
    }
    seal_checkpoint_page(page, number_, index, pages);
    PageMetadata metadata;
    metadata.kind = PageKind::checkpoint;
    metadata.lpn = index;
    metadata.sequence = number_;
    metadata.file = pages;
    metadata.erase_count = erase_count_[which];
    const BeforeVolume any_volume(store_);
    const PageResult result = store_.program(segment_[which], next_slot_[which]++, metadata, page.data());
    if (!result.ok()) return result.status;
  }
  return FlashStatus::ok;
}

bool Checkpoints::has_room(std::uint32_t which) const {
  return next_slot_[which] + pages_needed() <= store_.pages(PageMode::lsb_only);
}

FlashStatus Checkpoints::make_room(std::uint32_t which) {
  if (decommissioned_[which]) return FlashStatus::erase_failed;
  if (has_room(which)) return FlashStatus::ok;
  const FlashStatus status = store_.erase(segment_[which]);
  if (status != FlashStatus::ok) return status;
  ++erases_;
  ++erase_count_[which];
  next_slot_[which] = 0;
  holds_[which] = false;
  return FlashStatus::ok;
}

/// kNone: what is left is full, and holds the newest checkpoint.
std::uint32_t Checkpoints::next_segment() const {
  const auto takes = [&](std::uint32_t which) {
    return usable_[which] && (has_room(which) || !any_ || current_ != which);
  };
  if (unnamed_ != kNone) {
    const std::uint32_t other = 1 - unnamed_;
    return takes(other) ? other : usable_[other] && usable_[unnamed_] ? unnamed_ : kNone;
  }
  // Both hold checkpoints as early as can be: a mount that finds one without must search the whole part.
  if (any_ && !holds_[1 - current_] && takes(1 - current_)) return 1 - current_;
  return takes(current_) ? current_ : takes(1 - current_) ? 1 - current_ : kNone;
}

FlashStatus Checkpoints::replace(std::uint32_t which, CheckpointSource& source) {
  // A second failure before the first is decommissioned: the newest checkpoint must stay where a mount finds it.
  if (failed_ != kNone || (unnamed_ != kNone && unnamed_ != which)) return FlashStatus::program_failed;
  const std::uint32_t before = segment_[which];
  const bool counts = any_ && current_ == which;
  if (!counts && unnamed_ != which) {
    // Nothing in it counts. Before a checkpoint is written anywhere else, so that every mount from now on finds the
    // same.
    const FlashStatus done = decommission(before);
    if (done != FlashStatus::ok) return done;
    decommissioned_[which] = true;
  }
  // No checkpoint names it. Marked, it stays the checkpoint segment where there is no other segment, and is not erased
  // again.
  if (unnamed_ == which) decommissioned_[which] = decommissioned_[which] || store_.mark_bad(before) == FlashStatus::ok;
  const std::uint32_t next = source.replace_checkpoint_segment(before);
  if (next == kNone) return FlashStatus::program_failed;
  if (counts) failed_ = before;
  segment_[which] = next;
  erase_count_[which] = source.checkpoint_row(next).erase_count;
  next_slot_[which] = store_.pages(PageMode::lsb_only);  // erased before use
  holds_[which] = decommissioned_[which] = false;
  unnamed_ = which;
  return FlashStatus::ok;
}

/// Sees to it that no mount believes what a failed checkpoint segment says.
FlashStatus Checkpoints::decommission(std::uint32_t segment) {
  for (std::uint32_t attempt = 0; attempt < kDecommissionErases; ++attempt) {
    const FlashStatus marked = store_.mark_bad(segment);
    if (marked == FlashStatus::ok || marked == FlashStatus::timeout) return marked;
    bool any = false;
    const FlashStatus looked = look_for_checkpoints(segment, any);
    if (looked != FlashStatus::ok || !any) return looked;
  }
  return FlashStatus::program_failed;
}

FlashStatus Checkpoints::decommission_failed() {
  if (failed_ == kNone) return FlashStatus::ok;
  const FlashStatus status = decommission(failed_);
  if (status == FlashStatus::ok) failed_ = kNone;
  return status;
}

void Checkpoints::fill_head(CheckpointKind kind, std::uint64_t sequence, std::uint64_t clock) {
  const FlashGeometry& g = store_.geometry();
  head_ = {kCheckpointVersion,
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
           {segment_[0], segment_[1]},
           {erase_count_[0], erase_count_[1]},
           own_};
}

FlashStatus Checkpoints::write(CheckpointKind kind, std::uint64_t sequence, std::uint64_t clock,
                               CheckpointSource& source) {
  FlashStatus status = unnamed_ == kNone ? decommission_failed() : FlashStatus::ok;
  if (status != FlashStatus::ok) return status;
  // One that found no replacement may find one now.
  usable_[0] = usable_[1] = true;
  std::uint32_t written = kNone;  // the checkpoint segment that has it; the other one gets it, too
  bool durable = false;
  for (std::uint32_t attempt = 0; attempt < kAttempts; ++attempt) {
    const std::uint32_t which = written == kNone ? next_segment() : 1 - written;
    if (which == kNone) {
      if (durable) break;
      return FlashStatus::program_failed;
    }
    if (written != kNone && (!usable_[which] || decommissioned_[which])) break;
    status = make_room(which);
    if (status == FlashStatus::ok) {
      ++number_;
      fill_head(kind, sequence, clock);
      status = write_at(which, source);
    }
    if (status == FlashStatus::timeout) return status;
    if (status != FlashStatus::ok) {
      const bool media = status == FlashStatus::program_failed || status == FlashStatus::erase_failed;
      if (!media) return status;
      status = replace(which, source);
      if (status == FlashStatus::timeout) return status;
      if (status != FlashStatus::ok) {
        usable_[which] = false;
        if (durable) break;
      }
      written = kNone;  // another one has to name the new checkpoint segment
      continue;
    }
    current_ = which;
    any_ = holds_[which] = true;
    status = decommission_failed();
    if (status != FlashStatus::ok) return status;
    if (unnamed_ == which) continue;  // durable only when a mount finds it through the other checkpoint segment
    unnamed_ = kNone;
    durable = true;
    openings_ = 0;
    changed_ = failure_ = false;
    if (written == 1 - which) break;
    written = which;
  }
  if (durable) return FlashStatus::ok;
  // Out of attempts behind one more checkpoint segment replaced: nothing is kept.
  return status != FlashStatus::ok ? status : FlashStatus::program_failed;
}

}  // namespace ftlab::nand
