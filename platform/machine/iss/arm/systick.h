// The timer of the core, exact to the cycle. Knows no exception: advance_to() says whether it has reached zero.
#pragma once

#include <cstdint>
#include <limits>

namespace ftlab::iss::arm {

class SysTick {
 public:
  static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

  /// The cycle at which the counter reaches zero.
  [[nodiscard]] std::uint64_t next_zero() const { return zero_at_; }
  /// Whether VAL is another value with the next cycle.
  [[nodiscard]] bool counts() const { return enabled() && zero_at_ != kNever; }
  /// Whether reading CTRL changes it.
  [[nodiscard]] bool has_counted() const { return (control_ & kCounted) != 0; }
  /// Whether it has reached zero, with its exception wanted.
  bool advance_to(std::uint64_t now);

  // Registers; all but writes of CTRL bits keep their reserved bits zero. `now` must have been reached.
  std::uint32_t read_control();
  [[nodiscard]] std::uint32_t reload() const { return reload_; }
  [[nodiscard]] std::uint32_t value(std::uint64_t now) const;
  void write_control(std::uint32_t value, std::uint64_t now);
  void write_reload(std::uint32_t value, std::uint64_t now);
  void write_value(std::uint64_t now);

 private:
  static constexpr std::uint32_t kMask = 0xFFFFFF;
  static constexpr std::uint32_t kEnable = 1;
  static constexpr std::uint32_t kException = 2;
  static constexpr std::uint32_t kCoreClock = 4;
  static constexpr std::uint32_t kCounted = 1U << 16;

  [[nodiscard]] bool enabled() const { return (control_ & kEnable) != 0; }
  void start(std::uint32_t value, std::uint64_t now);

  std::uint32_t control_ = kCoreClock;  // there is no other clock
  std::uint32_t reload_ = 0;
  std::uint32_t stopped_at_ = 0;  // the counter while it is not enabled
  std::uint64_t zero_at_ = kNever;
  std::uint64_t was_zero_at_ = kNever;
};

}  // namespace ftlab::iss::arm
