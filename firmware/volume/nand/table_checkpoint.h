// Checkpoints of large volumes: the page table itself, and a log of the segments taken into use since, so that a mount
// reads checkpoint, log and those segments, and nothing of the others. Knows PageIo and what the FTL reports through
// CheckpointSource; nothing of mapping or cleaning.
//
// A checkpoint is a sequence of pages over one or more segments: a group. There are two groups. The older one is erased
// only when the newer one is whole, and then takes the same checkpoint. Log entries go behind it, to both.
// A segment that fails is replaced by one of the layer's. Where a group began there, it is decommissioned: marked bad,
// or, since worn cells may not take the mark, erased until no checkpoint begins there; one at most may stay. A mount
// that finds one of the two beginnings gone, or newer than the checkpoint that names it, searches the whole part.
//
// Invariants: a page table entry counts unless its segment was taken into use since, or a newer copy is found; no page
// is programmed into a segment that neither the newest whole checkpoint nor its log has as in use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/volume/nand/checkpoint_format.h"
#include "firmware/volume/nand/page_io.h"

namespace ftlab::nand {

/// On flash, behind StoredRow: what a mount does not learn from a segment that it need not read.
struct StoredUse {
  Le64 opened_sequence;  ///< 40 bits; bit 48: its data should move; in the upper 8 the region
  Le64 opened_stamp;
};
static_assert(sizeof(StoredUse) == 16);
inline constexpr std::uint32_t kUseWords = sizeof(StoredUse) / 4;

/// One page of the log: a segment was taken into use.
struct LogPage {
  Le32 magic;
  Le32 reserved;
  Le64 sequence;  ///< S of the checkpoint that it follows
  Le32 index;     ///< from 0
  Le32 segment;
  Le32 erase_count;
  Le32 check;  ///< CRC-32C of the bytes before
};
static_assert(sizeof(LogPage) == 32 && offsetof(LogPage, check) == 28);
inline constexpr unsigned kRefreshBit = 48;
inline constexpr std::uint32_t kLogMagic = 0x4C444E46;  // "FNDL"
inline constexpr std::uint16_t kTableVersion = 4;

class TableCheckpoint {
 public:
  enum class Found : std::uint8_t { complete, formatting, other_layout, damaged, nothing };

  TableCheckpoint(PageIo& store, const VolumeIdentity& identity);

  /// Segments of both groups. Depends on part and page size alone.
  [[nodiscard]] static std::uint32_t segments_of(const SlotGeometry& geometry) { return 2 * group_of(geometry); }
  /// Openings from one checkpoint to the next: the log has room for as many.
  [[nodiscard]] static std::uint32_t openings_between(const FlashGeometry& geometry);
  [[nodiscard]] static const char* check(const SlotGeometry& geometry);
  static void measure(Arena& arena, const SlotGeometry& geometry, std::uint32_t logical_pages);
  void layout(Arena& arena);
  void clear();
  /// Format of a medium without checkpoints: the first segments without a bad-block marker.
  void choose_segments();

  Found load();
  FlashStatus write(CheckpointKind kind, std::uint64_t sequence, std::uint64_t clock, std::uint64_t own,
                    CheckpointSource& source);
  /// A segment is taken into use. Not ok: a checkpoint must say so instead.
  FlashStatus log_opening(std::uint32_t segment, std::uint32_t erase_count);

  [[nodiscard]] const CheckpointHead& head() const { return head_; }
  [[nodiscard]] CheckpointRow row(std::uint32_t segment) const;
  [[nodiscard]] bool mapped(std::uint32_t lpn) const { return table_[lpn] != kNone; }
  /// Where the page was; kNone where its segment was taken into use since.
  [[nodiscard]] std::uint32_t ppn(std::uint32_t lpn) const;
  /// Taken into use since the checkpoint.
  [[nodiscard]] bool is_reopened(std::uint32_t segment) const { return uses_[segment].reopened; }
  [[nodiscard]] std::uint32_t slots() const { return store_.slots(PageMode::full); }

  [[nodiscard]] bool is_checkpoint_segment(std::uint32_t segment) const;
  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(places_.size()); }
  [[nodiscard]] std::uint32_t segment(std::uint32_t which) const { return places_[which]; }
  [[nodiscard]] std::uint32_t erase_count(std::uint32_t which) const { return erase_counts_[which]; }
  [[nodiscard]] std::uint32_t erases() const { return erases_; }

 private:
  struct Use {
    std::uint64_t opened_sequence = 0;
    std::uint64_t opened_stamp = 0;
    bool reopened = false;
  };
  struct Group {
    std::uint32_t number = 0;   ///< of the whole checkpoint in it; 0: none
    std::uint32_t entries = 0;  ///< of the log
  };

  [[nodiscard]] static std::uint32_t group_of(const SlotGeometry& geometry);
  [[nodiscard]] static std::uint32_t pages_of(const SlotGeometry& geometry, std::uint32_t logical_pages);
  [[nodiscard]] std::uint32_t segment_at(std::uint32_t group, std::uint32_t position) const;
  [[nodiscard]] std::uint32_t body_words() const { return static_cast<std::uint32_t>(store_.page_bytes() - 16) / 4; }
  [[nodiscard]] std::uint32_t word_at(std::uint32_t at, const CheckpointSource& source) const;
  void take_word(std::uint32_t at, std::uint32_t word);
  FlashStatus write_group(std::uint32_t group, CheckpointSource& source);
  FlashStatus erase_group(std::uint32_t group, CheckpointSource& source);
  FlashStatus program(std::uint32_t group, std::uint32_t position, std::uint32_t index, std::uint32_t pages);
  FlashStatus replace(std::uint32_t which, CheckpointSource& source);
  /// Sees to it that no mount takes the first segment of a group for the beginning of a checkpoint; or of one alone,
  /// which the number in the other group shows to be old.
  FlashStatus decommission(std::uint32_t segment);
  [[nodiscard]] bool any_begins_elsewhere();
  /// The number of the checkpoint that begins in the segment; 0: none.
  std::uint32_t begins_in(std::uint32_t segment);
  bool read(std::uint32_t group);
  bool read_page(std::uint32_t segment, std::uint32_t slot, std::uint32_t number, std::uint32_t index,
                 std::uint32_t& pages);
  [[nodiscard]] bool is_sane() const;
  bool is_as_named(std::uint32_t group);
  bool read_newest(std::uint32_t first, std::uint32_t second);
  bool search_all();
  void start_anew();
  void read_log();
  bool read_entry(std::uint32_t group, std::uint32_t index);

  PageIo& store_;
  VolumeIdentity identity_;
  std::uint32_t group_segments_;
  CheckpointHead head_{};
  std::span<std::uint32_t> places_;  ///< segments of group 0, then of group 1
  std::span<std::uint32_t> erase_counts_;
  std::span<StoredRow> rows_;
  std::span<Use> uses_;
  std::span<std::uint32_t> table_;  ///< ppn per logical page, kNone or kLostEntry
  Group groups_[2];
  std::uint32_t current_ = 0;  ///< group with the newest whole checkpoint
  std::uint32_t number_ = 0;   ///< the highest seen
  std::uint32_t erases_ = 0;
  bool log_usable_ = false;  ///< after a mount the page behind the last entry may be half way
  bool traces_ = false;
};

}  // namespace ftlab::nand
