// One piece of work of a die, from command to completion.
#pragma once

#include <cstdint>

#include "common/units.h"
#include "hw/base/observer.h"
#include "hw/onenand/spec/spec.h"

namespace ftlab::hw {

enum class WorkKind : std::uint8_t {
  load,
  recovery_load,
  superload,
  program,
  erase,
  suspend,
  reset,
  boot,
  plain,
  refused
};

struct Work {
  WorkKind kind = WorkKind::plain;
  std::uint32_t segment = 0;  ///< over all dies; special segments behind the ordinary ones
  std::uint32_t page = 0;
  bool slc = false;  ///< area of the segment when the work began
  PageType type = PageType::slc;
  bool ecc_on = true;
  bool fails = false;
  bool cached = false;           ///< INT comes back before the array is done
  std::uint16_t status_bit = 0;  ///< Load, Program or Erase
  std::uint16_t interrupt_bits = 0;
  Ticks duration{};  ///< in the array, without suspended time
  Ticks begin{};     ///< of the present stretch of work
  Ticks end{};
  Ticks done{};  ///< worked before a suspend
  std::int64_t power_uw = 0;
  DeviceOp op;
};

}  // namespace ftlab::hw
