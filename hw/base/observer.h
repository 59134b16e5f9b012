// The hook by which energy, statistics, traces and checkers watch a device. The device names none of them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "common/sums.h"

namespace ftlab::hw {

/// What a device spends time and energy on.
enum class DeviceOpKind : std::uint8_t {
  array_read,       ///< data read from the array over the bus
  register_access,  ///< command, status, CIS and register cycles
  buffer_load,      ///< data cycles into a page buffer or data RAM
  word_program,
  buffer_program,  ///< page buffer or data RAM -> array
  erase,
  load,   ///< array -> data RAM (NAND)
  other,  ///< lock bits, uploads, resets, ...
};
inline constexpr std::uint32_t kDeviceOpKinds = 8;

constexpr std::string_view name_of(DeviceOpKind kind) {
  constexpr std::string_view names[kDeviceOpKinds] = {
      "array_read", "register_access", "buffer_load", "word_program", "buffer_program", "erase", "load", "other"};
  return names[static_cast<std::uint32_t>(kind)];
}

struct DeviceOp {
  DeviceOpKind kind = DeviceOpKind::other;
  std::uint32_t device = 0;   ///< component pair or die
  std::uint64_t address = 0;  ///< byte address in the device window
  std::uint32_t bytes = 0;
  Ticks start{};
  Ticks busy{};                 ///< time the device worked on it, suspended time excluded; known at the end
  Picojoules energy{};          ///< above standby; known at the end
  bool failed = false;          ///< of a load: what it read is uncorrectable
  bool corrected = false;       ///< of a load: ECC put bits right, and managed all
  bool begun = true;            ///< false: it was queued when power was lost, and never happened
  bool torn = false;            ///< it had begun and was broken off for good, by a loss of power or a reset
  std::uint8_t components = 1;  ///< how many components of the device work in step on it (a pair: 2)
  Ticks end{};                  ///< when it ended, suspended and queued time included
  std::uint32_t tag = 0;        ///< the observer's own, set in on_start, kept by the device until on_end
};

/// Bus accesses since power was first applied, by kind: what a device sums itself, since a call for each would cost
/// more than the access.
struct AccessTotal {
  std::uint64_t accesses = 0;  ///< transactions; a burst counts once
  std::uint64_t bytes = 0;
  TickSum busy{};
  Picojoules energy{};
};
using AccessTotals = std::array<AccessTotal, kDeviceOpKinds>;

/// Operations since power was first applied, by kind, for families that sum them themselves. An operation counts as a
/// whole when it is queued; of those that power loss interrupts, what did not happen is taken off again.
struct OperationTotal {
  std::uint64_t operations = 0;
  std::uint64_t bytes = 0;
  TickSum busy{};      ///< time that each took for itself; overlaps on planes of a die count for each
  TickSum die_time{};  ///< by how much they made their dies' working time longer; overlaps on planes count once
  Picojoules energy{};
  std::uint64_t failed = 0;
  std::uint64_t corrected = 0;  ///< see DeviceOp; counted when it is queued, whatever becomes of it
  std::uint64_t torn = 0;       ///< see DeviceOp
};
using OperationTotals = std::array<OperationTotal, kDeviceOpKinds>;

/// Numbers that an observer may give operations, from 0 on.
inline constexpr std::uint32_t kOperationLabels = 8;
/// What losses of power took off OperationTotals since power was first applied, by the label of the operations. Modulo
/// 2^64 where that is less than nothing: an interrupted operation has failed.
using UndoneTotals = std::array<OperationTotals, kOperationLabels>;

/// Called in simulated-time order per device, not across devices.
class DeviceObserver {
 public:
  virtual ~DeviceObserver() = default;
  /// An operation that occupies the device is queued (program, erase, load, ...), or begins at once. May set op.tag.
  virtual void on_start(DeviceOp& op) = 0;
  /// Where DeviceOptions::observe_begins: the device has begun to work on an operation, which ends at `end` unless it
  /// is interrupted.
  virtual void on_begin(DeviceOpKind /*kind*/, Ticks /*begin*/, Ticks /*end*/) {}
  /// It ended (done, failed or aborted).
  virtual void on_end(const DeviceOp& op) = 0;
  /// Bus cycles that the device answers at once (reads, register cycles, buffer loads): `op.busy` is bus time.
  virtual void on_access(const DeviceOp& op) = 0;
  /// Where a label of the observer's own stands, below kOperationLabels: families that sum operations read it as each
  /// is queued, see UndoneTotals. Null: all have label 0.
  [[nodiscard]] virtual const std::uint8_t* label() const { return nullptr; }
};

}  // namespace ftlab::hw
