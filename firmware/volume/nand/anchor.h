// Checkpoints ("anchors"): which volume this is, what each segment was, which logical pages were mapped, and which
// slots held them, all as of one sequence number S. A copy with sequence <= S counts only in one of those slots, which
// makes trims durable; a page mapped at S of which no copy counts is lost; and they tell a mount where to look. Written
// at format, when a flush has something to keep, before an erase that takes the newest copy of a page trimmed since,
// and every openings_between() openings of segments. Knows NandStore and what the FTL tells through AnchorSource;
// nothing of mapping or cleaning.
//
// They lie in two segments (segment 0 and the first good one after it, while they live), in LSB pages only, one after
// another. Each is written to both, one after the other, so that neither a lost page nor a lost segment takes the
// newest one away; a full segment is erased first, and so is any after a mount. One that fails is replaced by a segment
// of the FTL's, and settled: marked bad, or, since worn cells may not take the mark, erased until no page reads as an
// anchor. Invariants: the segment that holds the newest whole anchor is never erased, so that a cut leaves the anchor
// before; at most one failed home is not settled, its anchors are older than those of a home that it names, and no
// other home is erased meanwhile; both homes hold anchors, so that one without any tells a mount to search all
// segments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/ftl/ftl.h"
#include "firmware/volume/nand/nand_store.h"

namespace ftlab::nand {

/// First of the 16 bytes at the start of each page of an anchor.
struct AnchorPageHead {
  std::uint32_t magic;
  std::uint32_t number;  ///< of the anchor, ascending
  std::uint16_t index;
  std::uint16_t pages;
  std::uint32_t check;  ///< CRC-32C of the 12 bytes before and of the rest of the page
};
static_assert(sizeof(AnchorPageHead) == 16 && offsetof(AnchorPageHead, check) == 12);
inline constexpr std::uint32_t kAnchorMagic = 0x41444E46;  // "FNDA"
inline constexpr std::uint16_t kAnchorVersion = 3;

enum class AnchorKind : std::uint16_t {
  complete = 1,
  formatting = 2,  ///< until a complete one follows, the medium is not formatted
};

/// Start of an anchor's body; then a row for each segment, then one bit for each logical page, then one for each slot.
struct AnchorHead {
  std::uint16_t version;
  std::uint16_t kind;
  std::uint32_t volume;  ///< number of the format run that made this volume
  std::uint32_t ftl;     ///< whose volume: four letters
  std::uint32_t layout;  ///< whatever else must be equal to mount it; the FTL's own
  std::uint32_t segments;
  std::uint32_t segment_bytes;
  std::uint32_t page_bytes;
  std::uint32_t logical_pages;
  std::uint64_t sequence;  ///< S: the last one given away
  std::uint64_t clock;     ///< policy clock
  std::uint32_t home[2];   ///< the two segments of anchors
  std::uint32_t home_erases[2];
  std::uint64_t own;  ///< a number of the FTL's own
};
static_assert(sizeof(AnchorHead) == 72 && offsetof(AnchorHead, sequence) == 32 && offsetof(AnchorHead, home) == 48 &&
              offsetof(AnchorHead, own) == 64);

/// On flash; see AnchorRow.
struct StoredRow {
  std::uint32_t erase_count;
  std::uint8_t reads;  ///< in units of 128, rounded up
  std::uint8_t used;   ///< open: slots that may have been programmed, or left out
  std::uint8_t state;  ///< SegmentState
  std::uint8_t flags;  ///< bit 0: lsb_only; bit 1: retired; bit 2: home that failed, not settled
};
static_assert(sizeof(StoredRow) == 8 && offsetof(StoredRow, state) == 6);

/// A segment as of an anchor.
struct AnchorRow {
  std::uint32_t erase_count = 0;
  std::uint32_t reads = 0;
  std::uint32_t used = 0;  ///< open: slots that may have been programmed, or left out; the next one may be, too, since
  SegmentState state = SegmentState::free;
  PageMode mode = PageMode::full;
  bool retired = false;  ///< failed once; its data is still to be moved
};

/// What an FTL tells for an anchor.
class AnchorSource {
 public:
  AnchorSource() = default;
  AnchorSource(const AnchorSource&) = delete;
  AnchorSource& operator=(const AnchorSource&) = delete;

  [[nodiscard]] virtual AnchorRow anchor_row(std::uint32_t segment) const = 0;
  /// Mapped, or lost.
  [[nodiscard]] virtual bool anchor_mapped(std::uint32_t lpn) const = 0;
  /// Whether the slot holds the copy of its logical page that counts.
  [[nodiscard]] virtual bool anchor_valid(std::uint32_t segment, std::uint32_t slot) const = 0;
  /// The home `failed` takes no more anchors: it is bad from now on. Answers a good segment without valid pages, which
  /// from now on is the anchors' alone (erased before use); kNone when there is none to spare, and nothing done.
  virtual std::uint32_t replace_home(std::uint32_t failed) {
    static_cast<void>(failed);
    return kNone;
  }

 protected:
  ~AnchorSource() = default;
};

/// What must be equal for a volume to be ours.
struct AnchorIdentity {
  std::uint32_t ftl = 0;     ///< four letters, e.g. 'F','M','S',' '
  std::uint32_t layout = 0;  ///< the FTL's own
  std::uint32_t logical_pages = 0;
  std::uint32_t data_segments = 0;  ///< that wear is spread over; 0: all of the part. Need not be equal
};

/// What Anchors keep in the caller's arena; the same code measures and lays out.
struct AnchorTables {
  void layout(Arena& arena, const FlashGeometry& geometry, std::uint32_t logical_pages);

  std::span<StoredRow> rows;
  std::span<std::uint32_t> bitmap;
  std::span<std::uint32_t> valid;  ///< slot_words() for each segment
};

class Anchors {
  friend struct AnchorTables;

 public:
  static constexpr std::uint32_t kLeastOpenings = 64;

  Anchors(NandStore& store, const AnchorIdentity& identity)
      : store_(store),
        identity_(identity),
        slot_words_(slot_words(store.geometry())),
        openings_between_(openings_between(store.geometry(), identity)) {}

  /// Segment openings from one anchor to the next: as many as keep the erases of each of the two segments of anchors
  /// within the mean of the segments with data (each opening costs one of those an erase; anchors use LSB pages alone,
  /// which stand more), and kLeastOpenings.
  [[nodiscard]] static std::uint32_t openings_between(const FlashGeometry& geometry, const AnchorIdentity& identity);

  /// Null when one anchor fits into a segment's LSB pages twice over, else a sentence with the reason.
  [[nodiscard]] static const char* check(const FlashGeometry& geometry, std::uint32_t logical_pages);
  void layout(Arena& arena) { t_.layout(arena, store_.geometry(), identity_.logical_pages); }
  void clear();

  /// damaged: none is whole that could be gone by, but a volume was there.
  enum class Found : std::uint8_t { complete, formatting, other_layout, damaged, nothing };
  /// Finds the newest whole anchor and reads it: head(), row(), mapped(); sets the store's volume. Also finds where
  /// the next one goes; so format() calls it, too.
  Found load();

  /// Writes an anchor with the store's volume. `sequence`: the last one given away, `clock`: policy clock.
  /// Not ok: no segment took it; what it should have kept is not durable.
  FlashStatus write(AnchorKind kind, std::uint64_t sequence, std::uint64_t clock, AnchorSource& source);
  /// A number of the FTL's own that every further anchor keeps; load() gives it back in head().own and goes on with it.
  void set_own(std::uint64_t own) { own_ = own; }
  /// To be called for each segment taken into use; due() once an anchor should be written.
  void note_opening() { ++openings_; }
  /// Something worth keeping happened (a trim, a retirement): the next flush writes an anchor.
  void note_change() { changed_ = true; }
  /// A segment failed: the next opening writes an anchor. A mount that does not know it counts the segment as free.
  void note_failure() { changed_ = failure_ = true; }
  /// A segment failed since the last checkpoint.
  [[nodiscard]] bool failure_unrecorded() const { return failure_; }
  [[nodiscard]] bool due() const { return failure_ || openings_ >= openings_between_; }
  [[nodiscard]] bool changed() const { return changed_; }

  /// Of the anchor loaded last. Before load(), and when nothing was found, all zero: no sequence is <= S.
  [[nodiscard]] const AnchorHead& head() const { return head_; }
  [[nodiscard]] AnchorRow row(std::uint32_t segment) const;
  [[nodiscard]] bool mapped(std::uint32_t lpn) const { return ((t_.bitmap[lpn / 32] >> (lpn % 32)) & 1U) != 0; }

  [[nodiscard]] bool valid(std::uint32_t segment, std::uint32_t slot) const {
    return ((t_.valid[segment * slot_words_ + slot / 32] >> (slot % 32)) & 1U) != 0;
  }

  /// A segment that holds anchors: never opened for data, never erased by anyone else.
  [[nodiscard]] bool is_home(std::uint32_t segment) const { return segment == home_[0] || segment == home_[1]; }
  [[nodiscard]] std::uint32_t home(std::uint32_t which) const { return home_[which]; }
  [[nodiscard]] std::uint32_t home_erases(std::uint32_t which) const { return home_erases_[which]; }
  /// Erases of the two segments since clear().
  [[nodiscard]] std::uint32_t erases() const { return erases_; }
  /// Format of a medium without anchors: segment 0 and the first one after it without a bad mark.
  void choose_homes();

 private:
  struct Place {
    std::uint32_t home = 0;  ///< 0 or 1
    std::uint32_t slot = 0;
    std::uint32_t number = 0;
    std::uint32_t pages = 0;
  };

  /// Words of a segment's bits.
  [[nodiscard]] static std::uint32_t slot_words(const FlashGeometry& geometry);
  [[nodiscard]] static std::uint32_t pages_of(const FlashGeometry& geometry, std::uint32_t logical_pages);
  [[nodiscard]] std::uint32_t pages_needed() const;
  [[nodiscard]] bool find_newest();
  [[nodiscard]] bool follow_homes();
  [[nodiscard]] bool search_all();
  [[nodiscard]] bool may_hold_anchors(std::uint32_t segment);
  [[nodiscard]] FlashStatus look_for_anchors(std::uint32_t segment, bool& any);
  void set_homes(std::uint32_t first, std::uint32_t second);
  void survey(std::uint32_t which);
  bool read_anchor(const Place& place);
  bool read_page(const Place& place, std::uint32_t index);
  void take_word(std::uint32_t at, std::uint32_t word);
  [[nodiscard]] std::uint32_t word_at(std::uint32_t at, const AnchorSource& source) const;
  FlashStatus write_at(std::uint32_t which, const AnchorSource& source);
  void fill_head(AnchorKind kind, std::uint64_t sequence, std::uint64_t clock);
  [[nodiscard]] bool has_room(std::uint32_t which) const;
  FlashStatus make_room(std::uint32_t which);
  [[nodiscard]] std::uint32_t next_home() const;
  [[nodiscard]] StoredRow stored_row(std::uint32_t segment, const AnchorSource& source) const;
  [[nodiscard]] FlashStatus replace(std::uint32_t which, AnchorSource& source);
  FlashStatus settle(std::uint32_t segment);
  FlashStatus settle_failed();

  NandStore& store_;
  AnchorIdentity identity_;
  std::uint32_t slot_words_;
  std::uint32_t openings_between_;
  AnchorHead head_{};
  AnchorTables t_;
  std::uint32_t home_[2] = {0, 1};
  std::uint32_t home_erases_[2] = {0, 0};
  std::uint32_t next_slot_[2] = {0, 0};
  bool usable_[2] = {true, true};
  bool holds_[2] = {false, false};    ///< an anchor begins there, whole or not
  bool settled_[2] = {false, false};  ///< failed and settled, but the newest anchor still names it
  std::uint32_t used_[2] = {0, 0};    ///< survey: slots up to the last one that is not blank
  std::uint32_t current_ = 0;         ///< home of the newest whole anchor
  bool any_ = false;                  ///< there is one
  std::uint32_t number_ = 0;          ///< the highest seen
  std::uint32_t openings_ = 0;
  std::uint32_t erases_ = 0;
  std::uint64_t own_ = 0;
  bool changed_ = false;
  bool failure_ = false;
  std::uint32_t failed_ = kNone;   ///< a home of before, with the newest anchor: settled once a newer one is whole
  std::uint32_t unnamed_ = kNone;  ///< 0 or 1: a new home that no anchor in the other one names yet
  bool traces_ = false;            ///< of anchors of a complete volume, whole or not, or of its pages
  Place best_{};
  std::uint32_t below_ = 0;  ///< survey: only anchors with a lower number are looked for
};

}  // namespace ftlab::nand
