// Bus accesses: their sums by kind, and the observer's view. Knows nothing of what they did; they draw no energy of
// their own, which is part of the operations'.
#pragma once

#include <cstddef>
#include <cstdint>

#include "hw/base/observer.h"

namespace ftlab::hw::array {

class AccessMeter {
 public:
  explicit AccessMeter(DeviceObserver* observer) : observer_(observer) {}

  void count(DeviceOpKind kind, std::uint32_t address, std::size_t bytes, Ticks now, Ticks busy) {
    AccessTotal& total = totals_[static_cast<std::size_t>(kind)];
    ++total.accesses;
    total.bytes += bytes;
    total.busy += busy;
    if (observer_ != nullptr) report(kind, address, bytes, now, busy);
  }
  [[nodiscard]] const AccessTotals& totals() const { return totals_; }

 private:
  void report(DeviceOpKind kind, std::uint32_t address, std::size_t bytes, Ticks now, Ticks busy);

  DeviceObserver* observer_;
  AccessTotals totals_{};
};

}  // namespace ftlab::hw::array
