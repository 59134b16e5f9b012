// What driver/paged asks of a part that is no array: its commands. Implemented by the part drivers and by the test
// emulators; no layer sees it. Does not know registers, time or energy.
//
// Promises of the caller:
//   - offset, length inside one segment; program only bits that are 1 -> 0 where in_place_clear is absent:
//     only erased bytes, ascending, in multiples of program_unit_bytes;
//   - buffers stay valid until the operation is reaped; at most queue_depth operations unreaped;
//   - a read of bytes with an unreaped program or erase on them is never submitted;
//   - no_wait is set only where capabilities().no_wait is;
//   - nothing is submitted to a segment that depends on an unreaped operation there;
//   - parts with spare bytes: reads and programs stay inside one page; a page is programmed whole, with its spare
//     bytes, once between erases, the pages of a segment in ascending order (gaps are allowed).
// Promises of the port:
//   - operations on one segment take effect in the order submitted; a program reaped as ok is durable;
//   - every submitted operation is reaped exactly once; a failed one changes nothing else;
//   - parts with spare bytes: a read of spare bytes alone (length 0) reports the ECC status of the whole page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/ids.h"

namespace ftlab {

enum class PartOpKind : std::uint8_t {
  read,
  program,
  erase,
  copy,
  check_bad,  ///< does the segment carry a bad-block marker? ok or bad_segment; parts with spare bytes only
  mark_bad,   ///< sets it; survives power loss
};

/// Results of a worn or protected medium are values, never exceptions.
enum class PartStatus : std::uint8_t {
  ok,
  corrected,      ///< data good after ECC; consider refreshing
  uncorrectable,  ///< read data lost
  program_failed,
  erase_failed,
  write_protected,  ///< locked segment or write-protect switch
  no_vpp,           ///< programming voltage absent
  timeout,          ///< the device never became ready
  bad_segment,      ///< check_bad: the segment carries a bad-block marker
};

struct PartOp {
  PartOpKind kind = PartOpKind::read;
  SegmentId segment{};
  std::uint32_t offset = 0;         ///< bytes from the start of the segment; 0 for erase
  std::uint32_t length = 0;         ///< bytes; 0 for erase, and for a read of spare bytes alone
  std::byte* into = nullptr;        ///< read: destination of `length` bytes
  const std::byte* from = nullptr;  ///< program: source of `length` bytes
  std::byte* spare_into = nullptr;  ///< read, parts with spare bytes: destination, or null
  const std::byte* spare_from = nullptr;
  SegmentId copy_segment{};       ///< copy: destination segment (copy_back parts only)
  std::uint32_t copy_offset = 0;  ///< copy: destination offset
  std::uint32_t tag = 0;          ///< returned unchanged in PartDone
  bool no_wait = false;           ///< read, program: may still be under way when submit() returns
};

struct PartDone {
  std::uint32_t tag = 0;
  PartStatus status = PartStatus::ok;
  std::uint8_t corrected_bits = 0;  ///< corrected: most bit errors in one ECC sector, or kRecovered
};

/// PartDone::corrected_bits of a page whose pair was spoiled and that only the part's recovery read could save: its
/// data must be moved.
inline constexpr std::uint8_t kRecovered = 255;

struct PartGeometry {
  std::uint32_t segments = 0;
  std::uint32_t segment_bytes = 0;
  std::uint32_t program_unit_bytes = 1;  ///< smallest program; 1 or 2 on NOR, a page on NAND
  std::uint32_t spare_bytes = 0;         ///< per program unit; 0 on NOR
  std::uint32_t parallel_units = 1;      ///< devices that can be busy at the same time; segment s is on
                                         ///< unit s / (segments / parallel_units)
  std::uint32_t rated_erase_cycles = 0;  ///< endurance promised by the part
  /// Per page of a segment: the page that shares its cells. The lower of the two is the LSB page: programmed first and
  /// fast; a power loss while the other is programmed may spoil it. Empty where no page shares cells.
  std::span<const std::uint8_t> paired_page{};
  /// Leading segments of each unit that hold only their LSB pages, numbered without gaps: half the bytes.
  std::uint32_t slc_segments_per_unit = 0;

  [[nodiscard]] std::uint32_t unit_of(std::uint32_t segment) const { return segment / (segments / parallel_units); }
};

struct PartCapabilities {
  bool in_place_clear = false;  ///< bits may be cleared in bytes already programmed (NOR)
  bool copy_back = false;
  bool spare = false;
  bool background_erase = false;  ///< an erase may stay unreaped while other units work
  bool no_wait = false;           ///< PartOp::no_wait is honoured: units read and program at the same time
  std::uint32_t queue_depth = 1;
};

class PartPort {
 public:
  PartPort() = default;
  PartPort(const PartPort&) = delete;
  PartPort& operator=(const PartPort&) = delete;

  [[nodiscard]] virtual const PartGeometry& geometry() const = 0;
  [[nodiscard]] virtual const PartCapabilities& capabilities() const = 0;

  /// Starts operations in order. Returns how many were accepted (all, unless the queue is full).
  virtual std::size_t submit(std::span<const PartOp> ops) = 0;

  /// Collects finished operations. With wait = true blocks until at least one is done (if any is unreaped).
  virtual std::size_t reap(std::span<PartDone> done, bool wait) = 0;

 protected:
  ~PartPort() = default;
};

/// Submits one operation and waits for it.
inline PartStatus run_one(PartPort& port, const PartOp& op) {
  PartDone done;
  if (port.submit({&op, 1}) != 1) return PartStatus::timeout;
  if (port.reap({&done, 1}, true) != 1) return PartStatus::timeout;
  return done.status;
}

}  // namespace ftlab
