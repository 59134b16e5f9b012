// Checkpoints: which volume this is, what each segment was, which logical pages were mapped, and which
// slots held them, all as of one sequence number S. A copy with sequence <= S counts only in one of those slots, which
// makes trims durable; a page mapped at S of which no copy counts is lost; and they show a mount where to look. Written
// at format, when a flush has something to keep, before an erase that takes the newest copy of a page trimmed since,
// and every openings_between() openings of segments. Knows PageIo and what the FTL reports through CheckpointSource;
// nothing of mapping or cleaning.
//
// They lie in two segments (segment 0 and the first good one after it, while they live), in LSB pages only, one after
// another. Each is written to both, one after the other, so that neither a lost page nor a lost segment takes the
// newest one away; a full segment is erased first, and so is any after a mount. One that fails is replaced by a segment
// of the FTL's, and decommissioned: marked bad, or, since worn cells may not take the mark, erased until no page reads
// as a checkpoint. Invariants: the segment that holds the newest whole checkpoint is never erased, so that a power
// loss leaves the checkpoint before; at most one failed checkpoint segment is not decommissioned, its checkpoints are
// older than those of a checkpoint segment that it names, and no other checkpoint segment is erased meanwhile; both
// checkpoint segments hold checkpoints, so that one without any reports a mount to search all segments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/volume/nand/checkpoint_format.h"
#include "firmware/volume/nand/page_io.h"

namespace ftlab::nand {

/// What Checkpoints keep in the caller's arena; the same code measures and lays out.
struct CheckpointTables {
  void layout(Arena& arena, const FlashGeometry& geometry, std::uint32_t logical_pages);

  std::span<StoredRow> rows;
  std::span<std::uint32_t> bitmap;
  std::span<std::uint32_t> valid;  ///< slot_words() for each segment
};

class Checkpoints {
  friend struct CheckpointTables;

 public:
  static constexpr std::uint32_t kMinOpenings = 64;
  static constexpr std::uint32_t kSegments = 2;  ///< that checkpoints take

  /// damaged: none is whole that could be gone by, but a volume was there.
  enum class Found : std::uint8_t { complete, formatting, other_layout, damaged, nothing };

  Checkpoints(PageIo& store, const VolumeIdentity& identity)
      : store_(store),
        identity_(identity),
        slot_words_(slot_words(store.geometry())),
        openings_between_(openings_between(store.geometry(), identity)) {}

  /// Segment openings from one checkpoint to the next: as many as keep the erases of each of two checkpoint segments
  /// within the mean of the segments with data (each opening costs one of those an erase; checkpoints use LSB pages
  /// alone, which stand more), and kMinOpenings.
  [[nodiscard]] static std::uint32_t openings_between(const FlashGeometry& geometry, const VolumeIdentity& identity);

  /// Null when a checkpoint leaves two of a segment's LSB pages, else a sentence with the reason.
  [[nodiscard]] static const char* check(const FlashGeometry& geometry, std::uint32_t logical_pages);
  void layout(Arena& arena) { t_.layout(arena, store_.geometry(), identity_.logical_pages); }
  static void measure(Arena& arena, const FlashGeometry& geometry, const VolumeIdentity& identity) {
    CheckpointTables().layout(arena, geometry, identity.logical_pages);
  }
  void clear();

  /// Finds the newest whole checkpoint and reads it: head(), row(), mapped(); sets the store's volume. Also finds where
  /// the next one goes; so format() calls it, too.
  Found load();

  /// Writes a checkpoint with the store's volume. `sequence`: the last one given away, `clock`: policy clock.
  /// Not ok: no segment took it; what it should have kept is not durable.
  FlashStatus write(CheckpointKind kind, std::uint64_t sequence, std::uint64_t clock, CheckpointSource& source);
  /// A number of the FTL's own that every further checkpoint keeps; load() returns it in head().own and goes on with
  /// it.
  void set_own(std::uint64_t own) { own_ = own; }
  /// To be called for each segment taken into use; due() once a checkpoint should be written.
  void note_opening() { ++openings_; }
  /// Something worth keeping happened (a trim, a retirement): the next flush writes a checkpoint.
  void note_change() { changed_ = true; }
  /// A segment failed: the next opening writes a checkpoint. A mount that does not know it counts the segment as free.
  void note_failure() { changed_ = failure_ = true; }
  /// A segment failed since the last checkpoint.
  [[nodiscard]] bool failure_unrecorded() const { return failure_; }
  [[nodiscard]] bool due() const { return failure_ || openings_ >= openings_between_; }
  [[nodiscard]] bool changed() const { return changed_; }

  /// Of the checkpoint loaded last. Before load(), and when nothing was found, all zero: no sequence is <= S.
  [[nodiscard]] const CheckpointHead& head() const { return head_; }
  [[nodiscard]] CheckpointRow row(std::uint32_t segment) const;
  [[nodiscard]] bool mapped(std::uint32_t lpn) const { return ((t_.bitmap[lpn / 32] >> (lpn % 32)) & 1U) != 0; }
  /// Whether the slot held the copy of its page that counts.
  [[nodiscard]] bool valid(std::uint32_t segment, std::uint32_t slot) const {
    return ((t_.valid[segment * slot_words_ + slot / 32] >> (slot % 32)) & 1U) != 0;
  }

  /// A segment that holds checkpoints: never opened for data, never erased by anyone else.
  [[nodiscard]] bool is_checkpoint_segment(std::uint32_t segment) const {
    return segment == segment_[0] || segment == segment_[1];
  }
  [[nodiscard]] std::uint32_t segment(std::uint32_t which) const { return segment_[which]; }
  [[nodiscard]] std::uint32_t erase_count(std::uint32_t which) const { return erase_count_[which]; }
  /// Erases of the two segments since clear().
  [[nodiscard]] std::uint32_t erases() const { return erases_; }
  /// Format of a medium without checkpoints: segment 0 and the first one after it without a bad-block marker.
  void choose_segments();

 private:
  struct Place {
    std::uint32_t which = 0;  ///< 0 or 1
    std::uint32_t slot = 0;
    std::uint32_t number = 0;
    std::uint32_t pages = 0;
  };

  /// Words of a segment's bits.
  [[nodiscard]] static std::uint32_t slot_words(const FlashGeometry& geometry);
  [[nodiscard]] static std::uint32_t pages_of(const FlashGeometry& geometry, std::uint32_t logical_pages);
  [[nodiscard]] std::uint32_t pages_needed() const;
  [[nodiscard]] bool find_newest();
  [[nodiscard]] bool follow_segments();
  [[nodiscard]] bool search_all();
  [[nodiscard]] bool may_hold_checkpoints(std::uint32_t segment);
  [[nodiscard]] FlashStatus look_for_checkpoints(std::uint32_t segment, bool& any);
  void set_segments(std::uint32_t first, std::uint32_t second);
  void survey(std::uint32_t which);
  bool read_checkpoint(const Place& place);
  bool read_page(const Place& place, std::uint32_t index);
  void take_word(std::uint32_t at, std::uint32_t word);
  [[nodiscard]] std::uint32_t word_at(std::uint32_t at, const CheckpointSource& source) const;
  FlashStatus write_at(std::uint32_t which, const CheckpointSource& source);
  void fill_head(CheckpointKind kind, std::uint64_t sequence, std::uint64_t clock);
  [[nodiscard]] bool has_room(std::uint32_t which) const;
  FlashStatus make_room(std::uint32_t which);
  [[nodiscard]] std::uint32_t next_segment() const;
  [[nodiscard]] StoredRow stored_row(std::uint32_t segment, const CheckpointSource& source) const;
  [[nodiscard]] FlashStatus replace(std::uint32_t which, CheckpointSource& source);
  FlashStatus decommission(std::uint32_t segment);
  FlashStatus decommission_failed();

  PageIo& store_;
  VolumeIdentity identity_;
  std::uint32_t slot_words_;
  std::uint32_t openings_between_;
  CheckpointHead head_{};
  CheckpointTables t_;
  std::uint32_t segment_[2] = {0, 1};
  std::uint32_t erase_count_[2] = {0, 0};
  std::uint32_t next_slot_[2] = {0, 0};
  bool usable_[2] = {true, true};
  bool holds_[2] = {false, false};           ///< a checkpoint begins there, whole or not
  bool decommissioned_[2] = {false, false};  ///< failed and decommissioned, but the newest checkpoint still names it
  std::uint32_t used_[2] = {0, 0};           ///< survey: slots up to the last one that is not blank
  std::uint32_t current_ = 0;                ///< the segment of the newest whole checkpoint
  bool any_ = false;                         ///< there is one
  std::uint32_t number_ = 0;                 ///< the highest seen
  std::uint32_t openings_ = 0;
  std::uint32_t erases_ = 0;
  std::uint64_t own_ = 0;
  bool changed_ = false;
  bool failure_ = false;
  std::uint32_t failed_ =
      kNone;  ///< a former checkpoint segment, with the newest checkpoint: decommissioned once a newer one is whole
  std::uint32_t unnamed_ = kNone;  ///< 0 or 1: a new checkpoint segment that no checkpoint in the other one names yet
  bool traces_ = false;            ///< of checkpoints of a complete volume, whole or not, or of its pages
  Place best_{};
  std::uint32_t below_ = 0;  ///< survey: only checkpoints with a lower number are looked for
};

}  // namespace ftlab::nand
