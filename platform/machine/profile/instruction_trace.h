// The instructions that a core executes in a span of the measured phase, a row each. Executes the program instruction
// by instruction there and at full speed elsewhere, and changes nothing. Knows no firmware.
//
// Columns: time_s, cycle (at which it begins), cycles (until the next one begins), address, code, instruction,
// function, line.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "common/units.h"
#include "platform/machine/core/core_processor.h"
#include "platform/machine/core/core_watcher.h"
#include "platform/machine/profile/disassembly.h"
#include "platform/machine/profile/executed.h"

namespace ftlab::platform {

class InstructionTrace final : public CoreWatcher {
 public:
  using Sink = std::function<void(std::string_view)>;
  /// From the begin of the measured phase.
  struct Span {
    Ticks from{};
    Ticks to{};
  };

  /// `processor` outlives it; `sink` takes row by row.
  InstructionTrace(CoreProcessor& processor, Span span, Sink sink);

  void started() override { end_trace(); }
  std::uint64_t before_run() override;
  void measures(bool begins) override;
  void ended() override { end_trace(); }

 private:
  struct Row {
    std::uint32_t address = 0;
    std::uint64_t begun = 0;
  };

  /// The instruction that has been executed since the last look; the one before it has come to its end.
  void see_executed();
  void write_row(std::uint64_t end);
  void end_trace();
  /// The rest of a row.
  [[nodiscard]] const std::string& words_of(std::uint32_t address);
  void learn_lines();

  CoreProcessor& processor_;
  const Span span_;
  Sink sink_;
  const CoreClock clock_;
  Executed executed_;
  bool traces_ = false;      ///< the core is being followed
  std::uint64_t began_ = 0;  ///< the cycle of the instruction that comes next
  std::uint64_t first_ = 0;  ///< cycles of the span
  std::uint64_t end_ = 0;    ///< 0: the measured phase is not there
  std::optional<Row> row_;   ///< to be written once its end is known
  std::map<std::uint32_t, Disassembled> code_;
  std::map<std::uint32_t, std::string> lines_;
  std::map<std::uint32_t, std::string> words_;
};

}  // namespace ftlab::platform
