// What every layer asks of flash, whatever the part: an array of pages behind a controller that works off bursts of
// operations by itself, die by die. Implemented by the driver of such a controller, by driver/paged for other parts,
// and by the test emulator. Does not know registers, time or energy.
//
// Promises of the caller:
//   - pages of a segment are programmed once between erases, in any order where geometry says so, else in ascending
//     order without gaps, all of them or those of LSB units alone (where geometry names some);
//   - a segment is erased or marked only when every program unit that was begun there is whole;
//   - metadata of one program unit have bits 32-39 of `low` and 48-63 of `high` in common;
//   - a page that a copy takes from was programmed before, in the order of submission;
//   - tags of operations that report are told apart by the caller; buffers stay as they are until their operation is
//     collected.
// Promises of the port:
//   - an erased page reads as ones, with metadata of all ones;
//   - operations on one die take effect in the order submitted, each in the order of its burst;
//   - what a program unit takes is durable, and reported, when all of it is, and can be read before;
//   - an operation that asks to report, and every one that does not end ok, is collected exactly once;
//   - a segment whose program or copy failed takes no other one before its erase: each fails;
//   - what a program or copy wrote is durable when anything submitted later to that die is collected;
//   - pages before one that power loss stops may read `corrected`, with must_move, until their segment is erased, or,
//     where the part keeps nothing of them, be lost;
//   - of a marker that the part does not take only an operation that asks to report says so, by program_failed;
//   - of a page that cannot be read `metadata` tells whose it is, where that is known, else all ones.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ftlab {

enum class FlashOpKind : std::uint8_t {
  none,
  read,
  program,
  erase,
  copy,
  check_bad,
  mark_bad,
  fence,  ///< ends ok when all that was submitted before to the die of `page` has ended; takes no time of the die
};

enum class FlashStatus : std::uint8_t {
  ok,
  corrected,      ///< data good after ECC
  uncorrectable,  ///< data lost; of a copy: the target is programmed, as unreadable, with new metadata, if any
  program_failed,
  erase_failed,
  bad_segment,  ///< marked bad: refused
  illegal,      ///< the caller broke a promise: refused, nothing happened
};

/// Its data is there; of what writes: it did.
[[nodiscard]] constexpr bool is_ok(FlashStatus status) {
  return status == FlashStatus::ok || status == FlashStatus::corrected;
}

/// What is kept beside a page.
struct FlashMetadata {
  std::uint64_t low = ~0ULL;
  std::uint64_t high = ~0ULL;
  bool operator==(const FlashMetadata&) const = default;
};

/// Laid out as a controller takes it.
struct FlashOp {
  static constexpr std::uint32_t kNoPage = 0xFFFFFFFF;
  static constexpr std::uint16_t kNoBuffer = 0xFFFF;

  FlashOpKind kind = FlashOpKind::none;
  bool report = false;
  std::uint16_t tag = 0;
  std::uint32_t page = 0;            ///< counted through the array; any of the segment where that is meant
  std::uint32_t target = kNoPage;    ///< copy
  std::uint16_t buffer = kNoBuffer;  ///< read, program: of the controller
  bool new_metadata = false;         ///< copy: with `metadata`, else the source's goes along
  FlashMetadata metadata{};          ///< program, copy; read: see bytes_wanted()

  /// Of a read: nobody wants other bytes of the page, so that a port may leave them as they were in the buffer.
  [[nodiscard]] static constexpr FlashMetadata bytes_wanted(std::uint32_t first, std::uint32_t bytes) {
    return {first, bytes};
  }
};

/// Laid out as a controller reports it.
struct FlashDone {
  FlashOpKind kind = FlashOpKind::none;
  FlashStatus status = FlashStatus::ok;
  std::uint16_t tag = 0;
  std::uint32_t page = 0;
  std::uint32_t target = FlashOp::kNoPage;
  std::uint16_t corrected_bits = 0;  ///< read, copy: in the worst part of the page
  bool must_move = false;            ///< read, corrected: the part may not manage it again
  FlashMetadata metadata{};          ///< read; all ones of an erased page, and where the part keeps none
};

struct FlashGeometry {
  std::uint32_t segments = 0;
  std::uint32_t pages_per_segment = 0;
  std::uint32_t page_bytes = 0;
  /// A program unit: pages of a segment, aligned, that are programmed together when the last of them was submitted. At
  /// most 64.
  std::uint32_t pages_at_once = 1;
  std::uint32_t dies = 1;  ///< segment s is on die s / (segments / dies)
  std::uint32_t rated_erase_cycles = 0;
  std::uint32_t buffers = 0;        ///< pages of data RAM in the controller; 0: the part keeps no data
  std::uint32_t refresh_bits = 0;   ///< corrected in a part of a page from which its data should move; 0: never
  std::uint32_t refresh_reads = 0;  ///< page reads of a segment from which its data should move; 0: never
  bool keeps_metadata = true;       ///< false: metadata reads as all ones
  bool any_order = false;           ///< pages of a segment may be programmed in any order
  /// Leading segments of each die, or of so many segments as unused_every says, that hold fewer pages than the others,
  /// or something else: never programmed or erased.
  std::uint32_t unused_per_die = 0;
  std::uint32_t unused_every = 0;  ///< 0: those of a die
  /// Of each program unit of a segment a bit: it is an LSB unit, fast and safe from the program of the unit that shares
  /// its cells while that one is left out. None: no segment may be filled so.
  static constexpr std::uint32_t kMaxLsbUnits = 256;
  std::array<std::uint64_t, kMaxLsbUnits / 64> lsb_units{};
  /// Of so many program units of a segment the first is an LSB unit, whatever lsb_units says; 0: as that says.
  std::uint32_t lsb_every = 0;
  /// Segments that have become free are erased as soon as they may be, rather than right before their first program.
  bool keeps_erased = false;
  /// After a loss of power Ftl::write_out() is called before the supply goes.
  bool holds_up = false;

  [[nodiscard]] std::uint32_t segments_per_die() const { return segments / dies; }
  /// The page's place in its program unit.
  [[nodiscard]] std::uint32_t place_in_unit(std::uint32_t page) const {
    // Asked for with each write, where a division would show; most units are powers of two.
    const bool power = (pages_at_once & (pages_at_once - 1)) == 0;
    return power ? page & (pages_at_once - 1) : page % pages_at_once;
  }
  /// Of its program unit.
  [[nodiscard]] bool is_last_of_unit(std::uint32_t page) const { return place_in_unit(page) == pages_at_once - 1; }
  [[nodiscard]] bool is_lsb(std::uint32_t unit) const {
    if (lsb_every != 0) return unit % lsb_every == 0;
    return unit < kMaxLsbUnits && (lsb_units[unit / 64] >> unit % 64 & 1) != 0;
  }
  [[nodiscard]] bool is_unused(std::uint32_t segment) const {
    return segment % (unused_every != 0 ? unused_every : segments_per_die()) < unused_per_die;
  }
  [[nodiscard]] std::uint32_t usable_per_die() const {
    const std::uint32_t times = unused_every != 0 ? segments_per_die() / unused_every : 1;
    const std::uint32_t unused = times * unused_per_die;
    return segments_per_die() - (unused < segments_per_die() ? unused : segments_per_die());
  }
};

class FlashPort {
 public:
  FlashPort() = default;
  FlashPort(const FlashPort&) = delete;
  FlashPort& operator=(const FlashPort&) = delete;

  [[nodiscard]] virtual const FlashGeometry& geometry() const = 0;
  /// Hands all of them to the controller, in order.
  virtual void submit(std::span<const FlashOp> ops) = 0;
  /// What has ended and was not collected, earliest end first; how many.
  virtual std::size_t collect(std::span<FlashDone> done) = 0;
  /// Lets time pass until something can be collected, but not beyond `until_ns` of the host's clock.
  virtual void wait(std::uint64_t until_ns) = 0;
  // From byte `offset` of the page on; the rest of the buffer stays as it is.
  virtual void write_buffer(std::uint16_t buffer, std::uint32_t offset, std::span<const std::byte> from) = 0;
  virtual void read_buffer(std::uint16_t buffer, std::uint32_t offset, std::span<std::byte> into) = 0;

 protected:
  ~FlashPort() = default;
};

/// Waits until something has ended that was not collected: what fits.
inline std::span<const FlashDone> await_some(FlashPort& port, std::span<FlashDone> done) {
  std::size_t ended = port.collect(done);
  for (; ended == 0; ended = port.collect(done)) port.wait(UINT64_MAX);
  return done.first(ended);
}

/// One operation, when nothing else is under way.
inline FlashDone run_to_end(FlashPort& port, FlashOp op) {
  op.report = true;
  port.submit({&op, 1});
  FlashDone done;
  return await_some(port, {&done, 1}).front();
}

}  // namespace ftlab
