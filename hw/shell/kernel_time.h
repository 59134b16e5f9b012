// Ticks and kernel time. They have the same resolution, so conversion is a copy of the count.
#pragma once

#include <array>
#include <cstdint>
#include <systemc>

#include "common/units.h"

namespace ftlab::hw {

inline sc_core::sc_time to_sc_time(Ticks t) {
  return sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(t.count()));
}
inline Ticks to_ticks(const sc_core::sc_time& t) { return Ticks{static_cast<std::int64_t>(t.value())}; }

/// The last durations converted: making an sc_time costs as much as a bus access, and most of those take equally long.
class TimeMemo {
 public:
  const sc_core::sc_time& of(Ticks t) {
    Known& known = known_[static_cast<std::uint64_t>(t.count()) * 0x9E3779B97F4A7C15U >> (64 - kBits)];
    if (t != known.ticks) learn(known, t);
    return known.time;
  }

 private:
  /// A processor knows a dozen, and two in one place would make both as slow as unknown ones.
  static constexpr unsigned kBits = 6;
  struct Known {
    Ticks ticks{};
    sc_core::sc_time time = sc_core::SC_ZERO_TIME;
  };
  // Apart, so that the usual call saves no registers.
  [[gnu::noinline, gnu::cold]] static void learn(Known& known, Ticks t) { known = {t, to_sc_time(t)}; }
  std::array<Known, 1U << kBits> known_;
};

}  // namespace ftlab::hw
