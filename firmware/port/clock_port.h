// The timer that work inside one call needs when it must be paced. Everything else gets its time as an argument.
// On a target this is a timer, in the simulator the platform's clock; tests bring their own.
#pragma once

#include <cstdint>

namespace ftlab {

class ClockPort {
 public:
  ClockPort() = default;
  ClockPort(const ClockPort&) = delete;
  ClockPort& operator=(const ClockPort&) = delete;

  /// The clock of Ftl's now_ns arguments.
  [[nodiscard]] virtual std::uint64_t now_ns() = 0;
  /// Returns at `at_ns` or later; at once when that has passed.
  virtual void sleep_until_ns(std::uint64_t at_ns) = 0;

 protected:
  ~ClockPort() = default;
};

}  // namespace ftlab
