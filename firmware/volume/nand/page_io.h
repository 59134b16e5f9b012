// Segments of a NAND part as slots: which page a slot is, metadata beside each page, a summary at the end of a segment.
// Knows FlashPort (through FlashIo) and page metadata; nothing of mapping, cleaning or what the logical pages mean.
//
// Slots of a segment are 0 .. slots(mode)-1, a page each, in program order; the summary lies in the page behind the
// last, so that mounting reads no other of a sealed segment. Slots may be left out, never gone back to.
//
// Invariants: a segment being filled has one of the summary buffers until it is sealed, dropped or erased; programs of
// a segment are ascending; what a result calls ok is durable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/base/flash_io.h"
#include "firmware/port/flash_port.h"
#include "firmware/port/refresh_limits.h"
#include "firmware/volume/nand/page_metadata.h"

namespace ftlab::nand {

struct PageResult {
  FlashStatus status = FlashStatus::ok;  ///< never `corrected`: corrected data is good, see the other two
  std::uint8_t corrected_bits = 0;       ///< most in one ECC sector; kRecovered = saved by the recovery read
  bool needs_refresh = false;            ///< the segment's data should move: a limit is reached

  [[nodiscard]] bool ok() const { return status == FlashStatus::ok; }
};

/// At the start of a summary page; the records follow, one per slot.
struct SummaryHead {
  Le32 magic;
  Le16 slots;            ///< records that follow
  Le16 used;             ///< slots up to the last one written
  Le64 opened_sequence;  ///< when the segment was taken into use
  Le64 opened_stamp;
  Le32 records_check;  ///< CRC-32C of the records
  Le32 check;          ///< CRC-32C of the bytes before, seeded with the volume
};
static_assert(sizeof(SummaryHead) == 32 && offsetof(SummaryHead, opened_sequence) == 8 &&
              offsetof(SummaryHead, records_check) == 24 && offsetof(SummaryHead, check) == 28);
inline constexpr std::uint32_t kSummaryMagic = 0x53444E46;  // "FNDS"

/// What a store keeps in the caller's arena; the same code measures and lays out.
struct PageIoTables {
  static constexpr std::uint8_t kNoBuffer = 0xFF;
  struct Row {
    std::uint32_t reads = 0;
    std::uint32_t unrecorded = 0;  ///< reads since the last checkpoint
    std::uint16_t used = 0;        ///< open: slots up to the last one programmed
    PageMode mode = PageMode::full;
    std::uint8_t buffer = kNoBuffer;
  };
  struct OpenSegment {
    std::uint64_t sequence = 0;
    std::uint64_t stamp = 0;
    /// Programmed last, into the slot before `used`.
    std::uint32_t last_lpn = kNoneBefore;
    std::uint64_t last_sequence = 0;
    bool taken = false;
  };

  /// `open_segments`: how many segments are filled at the same time at most.
  void layout(Arena& arena, const FlashGeometry& geometry, std::uint32_t open_segments);

  std::span<Row> rows;
  std::span<OpenSegment> open;
  std::span<std::byte> summaries;  ///< a summary per segment being filled
  std::span<std::byte> scratch;    ///< a page
  std::span<std::byte> spare;      ///< spare bytes of a page on its way
};

class PageIo {
 public:
  static constexpr std::uint32_t kVolumesTried = 64;
  static constexpr std::uint32_t kMaxPages = 256;  ///< of a segment: checkpoints count used slots in a byte

  /// `io` must outlive the store.
  PageIo(FlashIo& io, const FlashGeometry& geometry, RefreshLimits limits = {});

  /// Null when page metadata and summaries fit this part, else a sentence with the reason.
  [[nodiscard]] static const char* check(const FlashGeometry& geometry);
  /// Of a segment used in full.
  [[nodiscard]] static std::uint32_t slots_of(const FlashGeometry& geometry);
  void layout(Arena& arena, std::uint32_t open_segments) { t_.layout(arena, geometry_, open_segments); }
  /// Forgets everything but configuration and arena.
  void clear();

  void set_volume(std::uint32_t volume) { volume_ = volume; }
  [[nodiscard]] std::uint32_t volume() const { return volume_; }

  // Geometry. `pages` counts what a mode can program, summary included; `slots` what carries data.
  [[nodiscard]] std::uint32_t page_bytes() const { return geometry_.program_unit_bytes; }
  [[nodiscard]] std::uint32_t pages(PageMode mode) const { return mode == PageMode::full ? pages_ : lsb_count_; }
  [[nodiscard]] std::uint32_t slots(PageMode mode) const { return pages(mode) - 1; }
  /// Page of a slot inside the segment; slots(mode) is the summary's. Slot 0 is in page 0 in both modes.
  [[nodiscard]] std::uint32_t page_of(std::uint32_t segment, PageMode mode, std::uint32_t slot) const {
    return mode == PageMode::full || !paired_ || is_slc_segment(segment) ? slot : lsb_page_[slot];
  }
  /// Leading segment of a unit that holds its LSB pages only: never opened for data.
  [[nodiscard]] bool is_slc_segment(std::uint32_t segment) const;

  // Filling a segment.
  /// Takes an erased segment into use; false when all summary buffers are taken.
  bool open(std::uint32_t segment, PageMode mode, std::uint64_t sequence, std::uint64_t stamp);
  /// The same for one found partly written by a mount: the next program goes to `next_slot` or later. Its metadata must
  /// be restored with restore_metadata().
  bool reopen(std::uint32_t segment, PageMode mode, std::uint64_t sequence, std::uint64_t stamp,
              std::uint32_t next_slot);
  void restore_metadata(std::uint32_t segment, std::uint32_t slot, const PageMetadata& metadata);
  [[nodiscard]] bool is_open(std::uint32_t segment) const { return t_.rows[segment].buffer != PageIoTables::kNoBuffer; }
  /// Of an open segment: slots programmed or left out so far; the next program goes there or later.
  [[nodiscard]] std::uint32_t used(std::uint32_t segment) const { return t_.rows[segment].used; }
  [[nodiscard]] PageMode mode(std::uint32_t segment) const { return t_.rows[segment].mode; }
  /// Mount: how a segment that is not open was written.
  void set_mode(std::uint32_t segment, PageMode mode) { t_.rows[segment].mode = mode; }

  /// Programs one page with its metadata; sets its mode, and what lies before it: should that become unreadable
  /// while there is no summary, its name is still known. The slot is used up whatever happens. program_failed
  /// may have spoiled the LSB page of the pair: its next read says so.
  PageResult program(std::uint32_t segment, std::uint32_t slot, PageMetadata metadata, const std::byte* data);
  /// Writes the summary behind the last slot and releases the buffer; nothing more can be programmed until the erase.
  /// A failure costs mount time only: the records beside the pages remain. Power lost at the very start of the program
  /// leaves no trace, so no mount may resume the segment: either all slots are used, or a checkpoint has it as sealed
  /// (`recorded`). Where neither holds the buffer is released without a summary.
  PageResult seal(std::uint32_t segment, bool recorded = false);
  /// Releases the buffer without a summary: the segment failed.
  void drop(std::uint32_t segment);

  /// Pages programmed in this mode since clear(), summaries and failed ones included.
  [[nodiscard]] std::uint64_t programs(PageMode mode) const { return programs_[mode == PageMode::full ? 1 : 0]; }

  // Reading; any segment.
  /// From `offset` within the page. A page without metadata, which reads as erased, is uncorrectable.
  PageResult read(std::uint32_t segment, std::uint32_t slot, std::span<std::byte> into, std::uint32_t offset = 0);
  /// The metadata alone. `blank`: the spare bytes are erased; `intact`: of this volume and whole; `other_volume`: asked
  /// for volume 0, which has no records, it is one of a volume formatted no more than kVolumesTried times.
  struct FoundPage {
    PageResult result;
    bool blank = false;
    bool intact = false;
    bool other_volume = false;
    PageMetadata metadata;
  };
  FoundPage read_metadata(std::uint32_t segment, std::uint32_t page);
  /// Reads the summary of a segment written in `mode` into the scratch page; false: none, or torn.
  /// Then summary_head() and summary_entry() report what it holds, until the next call that takes a scratch page.
  bool read_summary(std::uint32_t segment, PageMode mode, FoundPage& found);
  [[nodiscard]] const SummaryHead& summary_head() const { return head_; }
  /// False: the slot holds nothing that counts.
  [[nodiscard]] bool summary_entry(std::uint32_t slot, PageMetadata& metadata) const;

  // Erasing and marking.
  FlashStatus erase(std::uint32_t segment);
  [[nodiscard]] bool is_marked_bad(std::uint32_t segment);
  FlashStatus mark_bad(std::uint32_t segment);

  // Read disturb.
  [[nodiscard]] std::uint32_t reads(std::uint32_t segment) const { return t_.rows[segment].reads; }
  /// While mounting: so many the last checkpoint has, to which those come that it may not have.
  void found_reads(std::uint32_t segment, std::uint32_t recorded);
  void forget_reads(std::uint32_t segment) { t_.rows[segment].reads = 0; }
  /// So many of a segment are unrecorded that a checkpoint should be written.
  [[nodiscard]] bool must_record_reads() const { return must_record_reads_; }
  /// The checkpoint has them.
  void recorded_reads();

  [[nodiscard]] FlashIo& io() { return io_; }
  [[nodiscard]] const FlashGeometry& geometry() const { return geometry_; }
  /// One page for whoever needs one for a moment (checkpoints, mount); read_summary() uses it, too.
  [[nodiscard]] std::span<std::byte> scratch() { return t_.scratch; }

 private:
  /// Nothing of it is known any more.
  void erased(std::uint32_t segment);
  void count_read(std::uint32_t segment);
  [[nodiscard]] PageResult judge(std::uint32_t segment, FlashStatus status) const;
  [[nodiscard]] std::uint32_t offset_of(std::uint32_t segment, std::uint32_t slot) const {
    return page_of(segment, t_.rows[segment].mode, slot) * page_bytes();
  }
  /// Mode of the page, and what lies before it.
  void complete_metadata(std::uint32_t segment, std::uint32_t slot, PageMetadata& metadata) const;
  /// The spare bytes of a page.
  const std::byte* spare_of(const PageMetadata& metadata) const;
  /// What the spare bytes read last say.
  [[nodiscard]] FoundPage found_page(const PageResult& result) const;
  /// The spare bytes are those that spare_of() made of the metadata.
  void note_program(std::uint32_t segment, std::uint32_t slot, const PageMetadata& metadata, FlashStatus status);
  /// Data may be all ones; a page that has vanished has no metadata either.
  void refuse_vanished(std::uint32_t segment, std::uint32_t slot, std::span<const std::byte> data, PageResult& result);
  [[nodiscard]] std::span<std::byte> buffer(std::uint32_t index) {
    return t_.summaries.subspan(std::size_t{index} * page_bytes(), page_bytes());
  }

  FlashIo& io_;
  FlashGeometry geometry_;
  RefreshLimits limits_;
  bool must_record_reads_ = false;
  std::uint32_t volume_ = 0;
  std::uint32_t pages_ = 0;
  std::uint32_t lsb_count_ = 0;
  bool paired_ = false;
  std::uint8_t lsb_page_[kMaxPages] = {};  ///< paired: page of each LSB slot
  PageIoTables t_;
  SummaryHead head_{};
  std::uint64_t programs_[2] = {};  ///< LSB pages alone, all pages
};

}  // namespace ftlab::nand
