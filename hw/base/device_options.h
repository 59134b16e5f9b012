// What a device is made with beside its part file. The same for every family.
#pragma once

#include <cstdint>

#include "hw/base/observer.h"

namespace ftlab::hw {

struct DeviceOptions {
  std::uint64_t seed = 1;              ///< everything that is drawn by chance: limits, errors, garbage, half-done work
  bool store_content = true;           ///< false: data is not kept (the family says what it reads as), all else equal
  DeviceObserver* observer = nullptr;  ///< not owned; may be null
  bool observe_accesses = true;        ///< false: bus accesses are only counted in access_totals()
  bool observe_operations = true;      ///< false: families that sum operations report none of them
  bool observe_begins = false;         ///< true: the observer hears of each operation that begins, too
  bool loses_power = true;             ///< false: the supply stays on, so that nothing need be kept to undo
  bool tells_work =
      false;  ///< true: families that tell what their units work do so up to any time; a loss needs it, too
};

}  // namespace ftlab::hw
