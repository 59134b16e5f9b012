// Register map and descriptors of the NAND array controller: constants and layouts, nothing else.
// Shared by the hardware model and by the driver that a target would run; includes no model, no SystemC.
// Byte addresses in a 64 KiB window, little-endian. "Segment" is the erase block of one plane; pages count from 0
// through the array: page = segment * pages_per_segment + page of the segment. A die holds consecutive segments, so
// that segment s is on die s / (segments / dies), and die d on channel d % channels; planes take turns:
// segment s is on plane s % planes. Planes that the controller lets work as one are one plane here, and a segment is
// the erase block of each.
//
// What the part programs at once may hold several of these pages: a program unit, aligned, that is programmed when its
// last page has come. Until then its pages wait in the controller, can be read, and are lost with the power. Reads,
// and copies, that follow each other in a burst and take from one page of the part, or of each plane, sense it once.
//
// The controller takes descriptors in bursts and works them off die by die, in the order of each die, as soon as the
// die and the channel are free; reads may be allowed to come before their turn (kControl, kOvertaking), but never
// before what changes their page. A descriptor that asks for it, and every one that does not end ok, leaves a
// completion when it has ended. The ready line is high while as many can be read as kGather says, or any and nothing is
// under way.
#pragma once

#include <cstdint>

namespace ftlab::hw::array {

inline constexpr std::uint32_t kWindowBytes = 0x10000;
inline constexpr std::uint32_t kMagic = 0x52414C46;  ///< "FLAR"
inline constexpr std::uint16_t kVersion = 1;
inline constexpr std::uint32_t kNoPage = 0xFFFFFFFF;

/// Registers. Those from kMagicAt to kRatedCycles are fixed; 32-bit ones are read as two cells, the low one first.
namespace reg {
inline constexpr std::uint32_t kMagicAt = 0x00;          ///< 32 bits
inline constexpr std::uint32_t kVersionAt = 0x04;        ///< 16 bits
inline constexpr std::uint32_t kChannels = 0x06;         ///< 16 bits
inline constexpr std::uint32_t kDiesPerChannel = 0x08;   ///< 16 bits
inline constexpr std::uint32_t kPlanes = 0x0A;           ///< 16 bits, of a die
inline constexpr std::uint32_t kSegments = 0x0C;         ///< 32 bits, of the whole array
inline constexpr std::uint32_t kPagesPerSegment = 0x10;  ///< 32 bits
inline constexpr std::uint32_t kPageBytes = 0x14;        ///< 32 bits, data
inline constexpr std::uint32_t kRatedCycles = 0x18;      ///< 32 bits, endurance promised by the part
inline constexpr std::uint32_t kBitsPerCell = 0x1C;      ///< 16 bits
inline constexpr std::uint32_t kContent = 0x1E;          ///< 16 bits, see Content and kHoldsUp
inline constexpr std::uint32_t kBufferSlots = 0x20;      ///< 16 bits, pages of data RAM; 0 unless Content::bytes
inline constexpr std::uint32_t kPagesAtOnce = 0x22;      ///< 16 bits, of a program unit
inline constexpr std::uint32_t kLsbEvery = 0x24;         ///< 16 bits, units from one LSB unit to the next; 0: none
inline constexpr std::uint32_t kIdentityBytes = 0x28;
inline constexpr std::uint32_t kControl = 0x100;  ///< 16 bits, read and write, see control
inline constexpr std::uint32_t kStatus = 0x102;   ///< 16 bits, see status
inline constexpr std::uint32_t kGather = 0x104;   ///< 16 bits, read and write: completions the line waits for; 0 is 1
/// 16 bits, read and write: reads that overtake the same operation of their die at most, before it has begun. The first
/// one in 65,536 descriptors overtakes nothing, nor do those behind it until what was queued then has ended.
inline constexpr std::uint32_t kOvertaking = 0x106;
}  // namespace reg

namespace control {
inline constexpr std::uint16_t kSuspendPrograms = 1;  ///< a read interrupts a program on its die
inline constexpr std::uint16_t kSuspendErases = 2;    ///< and an erase
}  // namespace control

namespace status {
inline constexpr std::uint16_t kBusy = 1;      ///< some descriptor has not ended
inline constexpr std::uint16_t kLine = 2;      ///< the line is high
inline constexpr unsigned kReadableShift = 2;  ///< from here on: completions that can be read now, at most kMaxReadable
inline constexpr std::uint16_t kMaxReadable = 0x3FFF;
}  // namespace status

/// Descriptors are written here, ascending from the first; a burst is one write of up to kMaxBurst of them.
inline constexpr std::uint32_t kDescriptors = 0x8000;
inline constexpr std::uint32_t kMaxBurst = 512;
/// Completions are read here, oldest first, in whole records; beyond the last there are records with op none. A record
/// read is gone.
inline constexpr std::uint32_t kCompletions = 0xC000;
inline constexpr std::uint32_t kMaxCompletions = 512;

/// What is kept of what is written.
enum class Content : std::uint16_t {
  none,   ///< nothing: metadata reads as all ones
  tag,    ///< the 16 bytes of metadata of each page
  bytes,  ///< metadata and data
};

/// In kContent beside it: capacitors keep the drive up after a loss of power, until its firmware has written its RAM
/// out.
inline constexpr std::uint16_t kHoldsUp = 0x100;
inline constexpr std::uint16_t kContentMask = 0xFF;

enum class Op : std::uint8_t {
  none,
  read,  ///< a page into a buffer slot, its metadata into the completion
  /// The next page of an erased segment: in ascending order, without gaps; or LSB units alone, those whose number in
  /// the segment kLsbEvery divides. They are where the second one follows the first; the others are left out until
  /// the next erase, and read as erased.
  program,
  erase,     ///< the segment of `page`; none of its pages may wait
  copy,      ///< `page` to `target`, inside the controller; as program for the target. Metadata comes along
  check,     ///< is the segment of `page` marked bad?
  mark_bad,  ///< marks it; survives power loss
  fence      ///< ends when all that the die of `page` was given before has ended; takes no time of it
};

enum class Status : std::uint8_t {
  ok,
  corrected,      ///< data good after ECC
  uncorrectable,  ///< data lost; of a copy: the target holds garbage that reads as uncorrectable
  program_failed,
  erase_failed,
  bad_segment,  ///< marked bad: refused
  illegal,      ///< refused: outside the array, out of order, on a page not erased. Nothing happened, no time passed
};

/// No data: metadata only, or a part that keeps no bytes. The data still crosses the channel.
inline constexpr std::uint16_t kNoBuffer = 0xFFFF;

struct Descriptor {
  Op op = Op::none;
  std::uint8_t report = 0;           ///< 1: leave a completion also when it ends ok
  std::uint16_t tag = 0;             ///< returned in the completion
  std::uint32_t page = 0;            ///< read, program, copy source; any page of the segment for the others
  std::uint32_t target = kNoPage;    ///< copy
  std::uint16_t buffer = kNoBuffer;  ///< read, program: slot of the data RAM
  std::uint8_t new_metadata = 0;     ///< copy: 1: with the metadata of the descriptor
  std::uint8_t reserved = 0;
  std::uint64_t metadata[2] = {};  ///< program, and copy with new_metadata: kept beside the page
};
static_assert(sizeof(Descriptor) == 32);

struct Completion {
  Op op = Op::none;
  Status status = Status::ok;
  std::uint16_t tag = 0;
  std::uint32_t page = 0;          ///< of the descriptor
  std::uint32_t target = kNoPage;  ///< of the descriptor
  std::uint16_t corrected_bits = 0;
  std::uint8_t must_move = 0;  ///< read, corrected: 1: nearly too many, so that the data should be written elsewhere
  std::uint8_t reserved = 0;
  std::uint64_t metadata[2] = {~0ULL, ~0ULL};  ///< read: what was kept; all ones of an erased page
};
static_assert(sizeof(Completion) == 32);

}  // namespace ftlab::hw::array
