// What a checkpoint consists of on flash (docs/media-format.md), and what an FTL reports for one.
// Knows no flash and no table in memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "firmware/base/little_endian.h"
#include "firmware/map/segment_info.h"
#include "firmware/map/segment_table.h"

namespace ftlab::nand {

/// First of the 16 bytes at the start of each page of a checkpoint.
struct CheckpointPageHead {
  Le32 magic;
  Le32 number;  ///< of the checkpoint, ascending
  Le16 index;
  Le16 pages;
  Le32 check;  ///< CRC-32C of the 12 bytes before and of the rest of the page
};
static_assert(sizeof(CheckpointPageHead) == 16 && offsetof(CheckpointPageHead, check) == 12);
inline constexpr std::uint32_t kCheckpointMagic = 0x41444E46;  // "FNDA"
inline constexpr std::uint16_t kCheckpointVersion = 3;

enum class CheckpointKind : std::uint16_t {
  complete = 1,
  formatting = 2,  ///< until a complete one follows, the medium is not formatted
};

/// Start of a checkpoint's body; then a row for each segment, then one bit for each logical page, then one for each
/// slot.
struct CheckpointHead {
  Le16 version;
  Le16 kind;
  Le32 volume;  ///< number of the format run that made this volume
  Le32 ftl;     ///< whose volume: four letters
  Le32 layout;  ///< whatever else must be equal to mount it; the FTL's own
  Le32 segments;
  Le32 segment_bytes;
  Le32 page_bytes;
  Le32 logical_pages;
  Le64 sequence;               ///< S: the last one given away
  Le64 clock;                  ///< policy clock
  Le32 checkpoint_segment[2];  ///< two checkpoint segments
  Le32 checkpoint_segment_erases[2];
  Le64 own;  ///< a number of the FTL's own
};
static_assert(sizeof(CheckpointHead) == 72 && offsetof(CheckpointHead, sequence) == 32 &&
              offsetof(CheckpointHead, checkpoint_segment) == 48 && offsetof(CheckpointHead, own) == 64);

/// On flash; see CheckpointRow.
struct StoredRow {
  Le32 erase_count;
  std::uint8_t reads;  ///< in units of 128, rounded up
  std::uint8_t used;   ///< open: slots that may have been programmed, or left out
  std::uint8_t state;  ///< SegmentState
  /// Bit 0: lsb_only; bit 1: retired; bit 2: checkpoint segment that failed, not decommissioned
  std::uint8_t flags;
};
static_assert(sizeof(StoredRow) == 8 && offsetof(StoredRow, state) == 6);

/// A segment as of a checkpoint.
struct CheckpointRow {
  std::uint32_t erase_count = 0;
  std::uint32_t reads = 0;
  std::uint32_t used = 0;  ///< open: slots that may have been programmed, or left out; the next one may be, too, since
  SegmentState state = SegmentState::free;
  PageMode mode = PageMode::full;
  bool retired = false;  ///< failed once; its data is still to be moved
};

/// What an FTL reports for a checkpoint.
class CheckpointSource {
 public:
  CheckpointSource() = default;
  CheckpointSource(const CheckpointSource&) = delete;
  CheckpointSource& operator=(const CheckpointSource&) = delete;

  [[nodiscard]] virtual CheckpointRow checkpoint_row(std::uint32_t segment) const = 0;
  // Bit i of a word stands for the i-th page or slot from `first`, a multiple of 32, on; `count` of them, at most 32.
  /// Mapped, or lost.
  [[nodiscard]] virtual std::uint32_t checkpoint_mapped(std::uint32_t first, std::uint32_t count) const = 0;
  /// Holds the copy of its logical page that counts.
  [[nodiscard]] virtual std::uint32_t checkpoint_valid(std::uint32_t segment, std::uint32_t first,
                                                       std::uint32_t count) const = 0;
  /// The checkpoint segment `failed` takes no more checkpoints: it is bad from now on. Answers a good segment without
  /// valid pages, which from now on is the checkpoints' alone (erased before use); kNone when there is none to spare,
  /// and nothing done.
  virtual std::uint32_t replace_checkpoint_segment(std::uint32_t failed) {
    static_cast<void>(failed);
    return kNone;
  }

 protected:
  ~CheckpointSource() = default;
};

/// What must be equal for a volume to be ours.
struct VolumeIdentity {
  std::uint32_t ftl = 0;     ///< four letters, e.g. 'F','M','S',' '
  std::uint32_t layout = 0;  ///< the FTL's own
  std::uint32_t logical_pages = 0;
  std::uint32_t data_segments = 0;  ///< that wear is spread over; 0: all of the part. Need not be equal
};

}  // namespace ftlab::nand
