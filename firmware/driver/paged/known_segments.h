// What a session knows of the segments of a part that is served as an array: which take programs, and of those that an
// earlier session left partly written, what may have been programmed there. Knows no descriptor.
//
// Invariant: the first blank program unit behind others that an earlier session wrote counts as written and unreadable,
// since a program may have been interrupted there without leaving a trace; where segments may be filled as SLC the
// first blank LSB unit, too, until another unit of the segment turns out to be written.
#pragma once

#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/driver/common/part_port.h"
#include "firmware/driver/paged/page_tag.h"
#include "firmware/driver/paged/resume_notes.h"
#include "firmware/port/flash_port.h"

namespace ftlab::paged {

/// Of a segment, the program unit whose metadata were read last. Segments may be read by turns.
struct LastRead {
  static constexpr std::uint16_t kNone = 0xFFFF;
  std::uint16_t unit = kNone;  ///< in its segment
  bool blank = false;
  bool intact = false;
  bool torn = false;  ///< it looks blank, and counts as written and unreadable
};

struct KnownSegment {
  bool checked = false;  ///< whether it is bad
  bool bad = false;
  bool erased = false;          ///< in this session: what is blank there is
  bool unerased = false;        ///< its erase failed: takes no program
  bool refused = false;         ///< a program failed there: it takes no other one before its erase
  bool noted = false;           ///< NAND: the next session will know where this one went on
  std::uint16_t attempted = 0;  ///< NAND: up to this program unit programs may have left no trace; 0: none
  LastRead last = {};
  LastRead last_lsb = {};  ///< of its LSB units
  bool uses_all = false;   ///< units that are not LSB are written
};

/// Of a segment that an earlier session left partly written.
enum class Resumed : std::uint8_t {
  never,  ///< it takes programs only after an erase
  noted,  ///< once there is a note of it
  freely
};

class KnownSegments {
 public:
  KnownSegments(OperationRunner& runner, const PartGeometry& part) : notes_(runner, part) {}

  void layout(Arena& arena, const FlashGeometry& geometry, Resumed resumed);
  [[nodiscard]] KnownSegment& operator[](std::uint32_t segment) { return segments_[segment]; }

  /// Once, before anything else of a session.
  void load_notes();
  [[nodiscard]] bool loaded() const { return loaded_; }

  /// Before a program. False: it must not be started.
  bool may_program(std::uint32_t page);
  void programmed(std::uint32_t page, bool ok);
  void erased(std::uint32_t segment, bool ok);
  /// Metadata of the page were read, in a segment that this session has not erased. True: it counts as written and
  /// unreadable, though it looks blank.
  bool judge(std::uint32_t page, const DecodedTag& tag);
  /// The program unit before was read last, and is intact.
  [[nodiscard]] bool is_intact_before(std::uint32_t page) const {
    const LastRead& last = segments_[segment_of(page)].last;
    return last.unit + 1U == unit_index_of(page) && last.intact;
  }

 private:
  [[nodiscard]] std::uint32_t segment_of(std::uint32_t page) const { return page / geometry_.pages_per_segment; }
  /// Of the program unit, in its segment.
  [[nodiscard]] std::uint32_t unit_index_of(std::uint32_t page) const {
    return page % geometry_.pages_per_segment / geometry_.pages_at_once;
  }
  /// Of an LSB unit, in a segment of which no other ones were seen written.
  [[nodiscard]] bool may_be_torn_slc(std::uint32_t unit, const KnownSegment& segment) const;
  [[nodiscard]] bool may_be_torn(std::uint32_t page, const DecodedTag& tag) const;
  /// The next session will know of it.
  bool note_resumed(std::uint32_t page);

  ResumeNotes notes_;
  FlashGeometry geometry_;
  Resumed resumed_ = Resumed::freely;
  bool loaded_ = false;
  std::span<KnownSegment> segments_;
};

}  // namespace ftlab::paged
