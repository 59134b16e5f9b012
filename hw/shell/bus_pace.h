// How fast a master clocks the cycles of a burst: the device must see each at its time, not at the device's own pace.
// An extension that a master sets once on its payload; without it a burst runs at the device's pace.
#pragma once

#include <tlm>

#include "common/units.h"

namespace ftlab::hw {

class BusPace : public tlm::tlm_extension<BusPace> {
 public:
  [[nodiscard]] tlm::tlm_extension_base* clone() const override { return new BusPace(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const BusPace&>(other); }

  Ticks read_cycle{};
  Ticks write_cycle{};
};

}  // namespace ftlab::hw
