// Ticks and kernel time. They have the same resolution, so conversion is a copy of the count.
#pragma once

#include <systemc>

#include "common/units.h"

namespace ftlab::hw {

inline sc_core::sc_time to_sc_time(Ticks t) {
  return sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(t.count()));
}
inline Ticks to_ticks(const sc_core::sc_time& t) { return Ticks{static_cast<std::int64_t>(t.value())}; }

/// The last duration converted: making an sc_time costs as much as a bus access, and most of those take equally long.
class TimeMemo {
 public:
  const sc_core::sc_time& of(Ticks t) {
    if (t != ticks_) {
      ticks_ = t;
      time_ = to_sc_time(t);
    }
    return time_;
  }

 private:
  Ticks ticks_{};
  sc_core::sc_time time_ = sc_core::SC_ZERO_TIME;
};

}  // namespace ftlab::hw
