#include "platform/machine/profile/core_profile.h"

#include <algorithm>
#include <utility>

#include "firmware/target/board.h"

namespace ftlab::platform {
namespace {

constexpr Function kUnknown = kCauses;  ///< behind the causes

}  // namespace

CoreProfile::CoreProfile(CoreProcessor& processor, Sink sink)
    : processor_(processor),
      sink_(std::move(sink)),
      function_at_(target::kFlashBytes / 2, kUnknown),
      begins_at_(target::kFlashBytes / 2) {
  learn_functions();
}

void CoreProfile::learn_functions() {
  for (std::size_t cause = 0; cause < kCauses; ++cause) names_.emplace_back(name_of(static_cast<Cause>(cause)));
  names_.emplace_back("[no function]");
  std::map<std::string, Function> numbers;
  for (const iss::ElfSymbol& symbol : processor_.memory().image().symbols()) {
    if (!symbol.function || symbol.address - target::kFlash >= target::kFlashBytes) continue;
    const std::string name = processor_.memory().name_of(symbol);
    const auto [at, is_new] = numbers.try_emplace(name, static_cast<Function>(names_.size()));
    if (is_new) names_.push_back(name);
    const std::size_t first = (symbol.address - target::kFlash) / 2;
    const std::size_t end = std::min<std::size_t>(first + std::max(symbol.size, 2U) / 2, function_at_.size());
    std::fill(function_at_.begin() + static_cast<std::ptrdiff_t>(first),
              function_at_.begin() + static_cast<std::ptrdiff_t>(end), at->second);
    begins_at_[first] = true;
  }
}

Position CoreProfile::position() {
  TargetCore& core = processor_.core();
  const std::uint64_t exceptions = core.iss_core().exceptions();
  Position at{core.pc(),
              core.stack_pointer(),
              core.return_address(),
              kUnknown,
              false,
              std::exchange(exceptions_, exceptions) != exceptions};
  const std::size_t half = (at.pc - target::kFlash) / 2;
  if (half >= function_at_.size()) return at;
  at.function = function_at_[half];
  at.begins = begins_at_[half];
  return at;
}

void CoreProfile::started() {
  // What power loss has broken off.
  if (!path_.empty()) book();
  stack_.begin(position());
  path_.clear();
  find_nodes(0);
  executed_ = processor_.instructions();
  booked_ = processor_.core().cycles();
}

void CoreProfile::book() {
  const std::uint64_t cycles = processor_.core().cycles();
  const std::uint64_t waited = std::exchange(waited_, 0);
  const std::uint64_t slept = std::exchange(slept_, 0);
  const std::uint64_t passed = cycles - std::exchange(booked_, cycles);
  if (!measures_) return;
  Node& node = nodes_[path_.back()];
  node.waited += waited;
  node.slept += slept;
  node.cycles += passed - waited - slept;
}

void CoreProfile::measures(bool begins) {
  book();
  measures_ = begins;
}

std::uint64_t CoreProfile::before_run() {
  book();
  if (processor_.instructions() != executed_) {
    executed_ = processor_.instructions();
    const bool other_cause = nodes_[path_.front()].function != static_cast<Function>(processor_.cause());
    const std::size_t same = stack_.follow(position());
    if (other_cause) path_.clear();
    if (other_cause || same < stack_.frames().size() || path_.size() != stack_.frames().size() + 1)
      find_nodes(other_cause ? 0 : same);
  }
  return processor_.core().cycles() + 1;
}

void CoreProfile::find_nodes(std::size_t from) {
  // Node 0 calls all causes.
  if (nodes_.empty()) nodes_.emplace_back();
  if (path_.empty()) path_ = {node_of(0, static_cast<Function>(processor_.cause()))};
  path_.resize(from + 1);
  for (const CallStack::Frame& frame : stack_.frames().subspan(from))
    path_.push_back(node_of(path_.back(), frame.function));
}

std::size_t CoreProfile::node_of(std::size_t caller, Function function) {
  const auto [at, is_new] = node_numbers_.try_emplace({caller, function}, nodes_.size());
  if (is_new) nodes_.push_back({.caller = caller, .function = function});
  return at->second;
}

std::string CoreProfile::path_of(std::size_t node) const {
  std::string path = names_[nodes_[node].function];
  while ((node = nodes_[node].caller) != 0) path = names_[nodes_[node].function] + ";" + path;
  return path;
}

void CoreProfile::ended() {
  std::string text;
  for (std::size_t node = 1; node < nodes_.size(); ++node) {
    const Node& counts = nodes_[node];
    const std::string path = path_of(node);
    const auto line = [&](const char* leaf, std::uint64_t cycles) {
      if (cycles > 0) text += path + leaf + " " + std::to_string(cycles) + "\n";
    };
    line("", counts.cycles);
    line(";[bus]", counts.waited);
    line(";[asleep]", counts.slept);
  }
  sink_(text);
}

}  // namespace ftlab::platform
