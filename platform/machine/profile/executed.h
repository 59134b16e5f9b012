// Which instruction a core has executed, followed instruction by instruction from the outside. Knows no instruction
// set. The instruction of a handler that has but one is not seen.
#pragma once

#include <cstdint>
#include <optional>

#include "platform/machine/core/core_processor.h"

namespace ftlab::platform {

class Executed {
 public:
  /// `processor` outlives it.
  explicit Executed(CoreProcessor& processor) : processor_(processor) {}

  /// From the instruction on that comes next.
  void begin();
  /// Behind each instruction, or none: the address of the one that has been executed.
  std::optional<std::uint32_t> follow();

 private:
  [[nodiscard]] std::optional<std::uint32_t> found() const;

  CoreProcessor& processor_;
  std::uint32_t next_pc_ = 0;
  std::uint64_t instructions_ = 0;
  std::uint64_t exceptions_ = 0;
};

}  // namespace ftlab::platform
