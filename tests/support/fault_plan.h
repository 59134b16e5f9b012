// Which operations of an emulated medium fail, and who watches before they change it.
#pragma once

#include <cstdint>

#include "firmware/port/flash_port.h"

namespace ftlab::tests {

/// What an operation leaves that the part reports as failed.
enum class FailureTrace : std::uint8_t { half, nothing, everything };

inline constexpr FailureTrace kFailureTraces[] = {FailureTrace::half, FailureTrace::nothing, FailureTrace::everything};

/// Chances in a million; drawn from the medium's own dice, which a copy of the medium takes along.
struct FaultPlan {
  std::uint32_t program_failures = 0;
  std::uint32_t erase_failures = 0;
  bool refuse_ever_after = false;  ///< a segment that failed fails all programs and erases from then on
  FailureTrace trace = FailureTrace::half;
  bool unstable = false;  ///< what an interrupted operation touched reads differently each time
  std::uint64_t seed = 1;
};

/// Told of each program, erase and mark just before it takes effect, while the medium is as it was.
class ChangeWatcher {
 public:
  virtual void before_change(const FlashOp& op) = 0;

 protected:
  ~ChangeWatcher() = default;
};

/// xorshift64: small enough to travel with every copy of a medium.
class MediumDice {
 public:
  explicit MediumDice(std::uint64_t seed = 1) : state_(seed * 0x9E3779B97F4A7C15U + 1) {}
  std::uint64_t operator()() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_;
  }
  bool happens(std::uint32_t chances) { return chances != 0 && (*this)() % 1'000'000 < chances; }

 private:
  std::uint64_t state_;
};

}  // namespace ftlab::tests
