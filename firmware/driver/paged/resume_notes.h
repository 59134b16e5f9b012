// NAND: which segments a session goes on filling that an earlier one left partly written, and from which page. Written
// before the first program there, since a power loss at the very start of a program leaves no trace, and the page must
// not be programmed a second time. Lies in two segments that hold nothing else: each note in the one that does not hold
// the newest, erased before. Knows no page of the host.
//
// Invariant: once there is a note, one can be read whenever power is lost.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/base/little_endian.h"
#include "firmware/driver/common/part_port.h"

namespace ftlab::paged {

/// Runs an operation to its end, whatever else is under way.
class OperationRunner {
 public:
  virtual PartStatus run_to_end(PartOp op) = 0;

 protected:
  ~OperationRunner() = default;
};

struct ResumeNote {
  std::uint32_t segment = 0;
  std::uint32_t unit = 0;  ///< program unit of it: may have been programmed, and all before
};

/// As it lies in its segment, from the start on.
struct WrittenNotes {
  static constexpr std::uint32_t kMax = 64;
  Le32 magic = 0x45544F4E;  // "NOTE"
  Le32 count = 0;
  Le64 sequence = 0;
  struct Entry {
    Le32 segment = 0;
    Le16 unit = 0;
    Le16 reserved = 0xFFFF;
  } entries[kMax];
  Le32 check = 0;  ///< CRC-32C of the bytes before
  Le32 reserved = 0xFFFFFFFF;
};
static_assert(sizeof(WrittenNotes) == 16 + 8 * WrittenNotes::kMax + 8 && offsetof(WrittenNotes, entries) == 16);

class ResumeNotes {
 public:
  static constexpr std::uint32_t kMax = WrittenNotes::kMax;
  static constexpr std::uint32_t kSegments = 2;
  static constexpr std::uint32_t kTries = 4;

  ResumeNotes(OperationRunner& runner, const PartGeometry& part) : runner_(runner), part_(part) {}

  void layout(Arena& arena);
  /// Those of the newest note. Notes lie in the first segment without a bad-block marker and in the first from `second`
  /// on, behind that one; kTries segments are looked at for each.
  [[nodiscard]] std::span<const ResumeNote> load(std::uint32_t second);
  /// Where they lie; holds after load().
  [[nodiscard]] std::span<const std::uint32_t, kSegments> segments() const { return segments_; }
  /// False: no segment may be resumed, since writing a note would erase the only one.
  [[nodiscard]] bool usable() const { return usable_[0] && usable_[1]; }
  /// These instead of those before; false: that failed, and those before still stand.
  bool write(std::span<const ResumeNote> notes);

 private:
  [[nodiscard]] std::uint32_t pages() const;
  [[nodiscard]] bool is_good(std::uint32_t segment);
  [[nodiscard]] bool read(std::uint32_t which, std::uint64_t& sequence);

  OperationRunner& runner_;
  PartGeometry part_;
  std::array<std::uint32_t, kSegments> segments_{};
  std::array<bool, kSegments> usable_{};
  std::uint32_t newest_ = 1;
  std::uint64_t sequence_ = 0;
  std::array<ResumeNote, kMax> notes_{};
  std::span<std::byte> page_;  ///< a note, rounded up to pages
  std::span<std::byte> spare_;
};

}  // namespace ftlab::paged
