// Calls functions of a program on a core of its own, in no time and without a trace: for those that change nothing.
// Knows the program's memory; neither devices nor time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "platform/machine/core/program_memory.h"
#include "platform/machine/core/target_core.h"

namespace ftlab::platform {

class AskingCore {
 public:
  /// It outlives this.
  explicit AskingCore(ProgramMemory& memory);

  /// Throws InputError for one that the program has not, or that does not come to its end.
  std::uint32_t ask(std::string_view function, const std::vector<std::uint32_t>& arguments);
  /// Address of words that a function may fill.
  [[nodiscard]] static std::uint32_t results_address();
  [[nodiscard]] std::span<const std::uint8_t> results() const;

 private:
  ProgramMemory& memory_;
  std::vector<std::uint8_t> outside_;  ///< memory of this core alone
  std::unique_ptr<TargetCore> core_;
};

}  // namespace ftlab::platform
