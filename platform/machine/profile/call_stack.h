// Which functions have called which, followed instruction by instruction from the outside: by the program counter, the
// stack pointer, the return address, and where functions begin. Knows no instruction set and no time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ftlab::platform {

/// By a number of its own.
using Function = std::uint32_t;

struct Position {
  std::uint32_t pc = 0;
  std::uint32_t sp = 0;
  std::uint32_t return_address = 0;
  Function function = 0;    ///< that holds pc
  bool begins = false;      ///< pc is its first instruction
  bool interrupts = false;  ///< an exception was taken before this instruction or the one before it
};

class CallStack {
 public:
  struct Frame {
    Function function = 0;
    std::uint32_t return_address = 0;
    std::uint32_t sp = 0;  ///< when it was seen first
    bool handler = false;
  };

  /// Out of reset.
  void begin(const Position& at);
  /// After an instruction. How many frames of before are left as they were; what lies behind them is new.
  std::size_t follow(const Position& now);
  [[nodiscard]] std::span<const Frame> frames() const { return frames_; }

 private:
  [[nodiscard]] bool has_returned(const Frame& frame, const Position& now) const;

  std::vector<Frame> frames_;
  std::uint32_t last_pc_ = 0;
};

}  // namespace ftlab::platform
