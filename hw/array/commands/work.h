// An operation that a die has queued, as far as it must be known until it has ended: to move it when it is suspended,
// and to undo it when power is lost first.
#pragma once

#include <cstdint>

#include "hw/array/commands/timeline.h"
#include "hw/base/observer.h"

namespace ftlab::hw::array {

enum class WorkKind : std::uint8_t {
  read,
  check,
  program,
  erase,
  copy,   ///< within the die
  fetch,  ///< the source's part of a copy to another die
  store,  ///< the target's part
  mark,
  early,   ///< a read before its turn, between what its die has queued
  run,     ///< several copies, see WorkLog
  gather,  ///< the source's part of copies that are programmed later, on the same die
  fence    ///< takes no time
};

namespace work_detail {
inline constexpr std::uint8_t kKindMask = 15;
inline constexpr std::uint8_t kSourceLost = 16;  ///< what it reads is uncorrectable
inline constexpr std::uint8_t kAside = 32;       ///< a read out of order, during a suspension
inline constexpr unsigned kTypeShift = 6;
}  // namespace work_detail

/// What a read takes.
struct Sensed {
  std::uint32_t pages = 1;   ///< that cross the channel
  std::uint32_t planes = 1;  ///< they are from
  [[nodiscard]] std::uint16_t packed() const { return static_cast<std::uint16_t>(pages | planes << 8); }
  static Sensed of(std::uint16_t packed) { return {packed & 0xFFU, static_cast<std::uint32_t>(packed >> 8)}; }
};

struct Work {
  Ticks begin{};
  Ticks end{};
  std::uint32_t page = 0;      ///< of a copy: the target
  std::uint32_t lead = 0;      ///< ticks from its begin until the cells change
  std::uint32_t sequence = 0;  ///< of its descriptor
  /// Programmed pages of the segment; of a read: see Sensed; of a copy: see attempts().
  std::uint16_t pages_before = 0;
  std::uint8_t flags_before = 0;  ///< of the segment; of a read: see attempts()
  std::uint8_t detail = 0;        ///< kind and what work_detail says, packed

  [[nodiscard]] WorkKind kind() const { return static_cast<WorkKind>(detail & work_detail::kKindMask); }
  /// Page type that a copy reads.
  [[nodiscard]] std::uint8_t source_type() const { return detail >> work_detail::kTypeShift; }
  /// Of a read, or of the reading of a copy.
  [[nodiscard]] Attempts attempts() const {
    return Attempts::unpacked(kind() == WorkKind::copy ? static_cast<std::uint8_t>(pages_before) : flags_before);
  }
  [[nodiscard]] bool source_lost() const { return (detail & work_detail::kSourceLost) != 0; }
  [[nodiscard]] bool aside() const { return (detail & work_detail::kAside) != 0; }
  [[nodiscard]] bool out_of_order() const { return aside() || kind() == WorkKind::early; }
  [[nodiscard]] Ticks cells() const { return begin + Ticks{lead}; }
  /// Changes the array.
  [[nodiscard]] bool changes() const {
    return kind() != WorkKind::read && kind() != WorkKind::check && kind() != WorkKind::fetch &&
           kind() != WorkKind::early && kind() != WorkKind::gather && kind() != WorkKind::fence;
  }
  /// As what its time and energy are booked; a copy of which the reading is apart, as its program.
  [[nodiscard]] DeviceOpKind counted_as() const {
    switch (kind()) {
      case WorkKind::read:
      case WorkKind::early:
      case WorkKind::fetch:
      case WorkKind::gather:
        return DeviceOpKind::load;
      case WorkKind::erase:
        return DeviceOpKind::erase;
      case WorkKind::check:
      case WorkKind::mark:
        return DeviceOpKind::other;
      default:
        return DeviceOpKind::buffer_program;
    }
  }
  /// Takes content, see PageStore.
  [[nodiscard]] bool stores() const {
    return kind() == WorkKind::program || kind() == WorkKind::copy || kind() == WorkKind::store;
  }
};
static_assert(sizeof(Work) == 32);

/// Where an operation stands in the order of its die: as what it is logged.
struct Turn {
  WorkKind kind = WorkKind::read;
  std::uint32_t detail = 0;
  Attempts attempts{};
};

}  // namespace ftlab::hw::array
