// ClockPort over the board's timer.
#pragma once

#include <cstdint>

#include "firmware/port/clock_port.h"
#include "firmware/target/clock.h"

namespace ftlab::target {

class BoardClock final : public ClockPort {
 public:
  [[nodiscard]] std::uint64_t now_ns() override { return Clock::now_ns(); }
  void sleep_until_ns(std::uint64_t at_ns) override {
    while (Clock::now_ns() < at_ns) Clock::wait_for_interrupt();
  }
};

}  // namespace ftlab::target
