// How often a core executes each instruction of its program, from reset to the end of the run, as an lcov tracefile of
// the program's source. Executes the program instruction by instruction, and changes nothing. Knows no firmware.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "platform/machine/core/core_processor.h"
#include "platform/machine/core/core_watcher.h"
#include "platform/machine/core/source_line.h"
#include "platform/machine/profile/executed.h"

namespace ftlab::platform {

class CoreCoverage final : public CoreWatcher {
 public:
  using Sink = std::function<void(std::string_view)>;

  /// The places of each address, inwards to outwards.
  using Lookup = std::function<std::vector<std::vector<SourcePlace>>(std::span<const std::uint32_t> addresses)>;

  /// `processor` outlives it; `sink` takes the whole at the end of the run. Throws InputError where nothing says what
  /// lines the program comes from.
  CoreCoverage(CoreProcessor& processor, Sink sink);
  CoreCoverage(CoreProcessor& processor, Sink sink, Lookup lookup);

  void started() override;
  std::uint64_t before_run() override;
  void ended() override;

 private:
  /// Of the instruction at this address.
  [[nodiscard]] std::uint64_t count(std::uint32_t address) const;
  void count_executed();

  CoreProcessor& processor_;
  Sink sink_;
  Lookup lookup_;
  std::vector<std::uint64_t> counts_;  ///< of each halfword of the program's memory
  Executed executed_;
};

}  // namespace ftlab::platform
