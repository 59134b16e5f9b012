// Where the cycles of a core go in the measured phase: by cause and path of calls, each instruction counted. Executes
// the program instruction by instruction, and changes nothing. Knows functions by the program's symbols; no layer.
//
// It comes as folded stacks, as programs that draw flame graphs take them: `cause;function;function 123`. Two
// names in brackets stand for what is no instruction: [bus] waits for part or bridge, [asleep] for an interrupt.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platform/machine/core/core_processor.h"
#include "platform/machine/core/core_watcher.h"
#include "platform/machine/profile/call_stack.h"

namespace ftlab::platform {

class CoreProfile final : public CoreWatcher {
 public:
  using Sink = std::function<void(std::string_view)>;

  /// `processor` outlives it; `sink` takes the whole at the end of the run.
  CoreProfile(CoreProcessor& processor, Sink sink);

  void started() override;
  std::uint64_t before_run() override;
  void waits(std::uint64_t cycles) override { waited_ += cycles; }
  void sleeps(std::uint64_t cycles) override { slept_ += cycles; }
  void measures(bool begins) override;
  void ended() override;

 private:
  /// A path of calls.
  struct Node {
    std::size_t caller = 0;
    Function function = 0;
    std::uint64_t cycles = 0;
    std::uint64_t waited = 0;
    std::uint64_t slept = 0;
  };

  void learn_functions();
  void book();
  [[nodiscard]] Position position();
  /// Of the frames from this one on; those before it have their nodes.
  void find_nodes(std::size_t from);
  std::size_t node_of(std::size_t caller, Function function);
  [[nodiscard]] std::string path_of(std::size_t node) const;

  CoreProcessor& processor_;
  Sink sink_;
  std::vector<std::string> names_;     ///< by Function; causes come first
  std::vector<Function> function_at_;  ///< of each halfword of the program's memory
  std::vector<bool> begins_at_;
  CallStack stack_;
  std::vector<Node> nodes_;
  std::map<std::pair<std::size_t, Function>, std::size_t> node_numbers_;
  std::vector<std::size_t> path_;  ///< a node for each frame, behind the one of the cause
  std::uint64_t booked_ = 0;       ///< cycles
  std::uint64_t executed_ = 0;     ///< instructions that have been followed
  std::uint64_t exceptions_ = 0;   ///< the same
  std::uint64_t waited_ = 0;
  std::uint64_t slept_ = 0;
  bool measures_ = false;
};

}  // namespace ftlab::platform
