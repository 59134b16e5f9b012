// Several who look at a core, none of whom holds it or sets breakpoints. Knows none of them.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "platform/machine/core/core_clock.h"
#include "platform/machine/core/core_watcher.h"

namespace ftlab::platform {

class CoreWatchers final : public CoreWatcher {
 public:
  explicit CoreWatchers(std::vector<std::unique_ptr<CoreWatcher>> watchers) : watchers_(std::move(watchers)) {}

  void started() override {
    for (const auto& one : watchers_) one->started();
  }
  /// Whoever waits for the nearest cycle has it.
  std::uint64_t before_run() override {
    std::uint64_t held = CoreClock::kNeverCycle;
    for (const auto& one : watchers_) held = std::min(held, one->before_run());
    return held;
  }
  void touched(std::uint32_t address, unsigned size, bool write) override {
    for (const auto& one : watchers_) one->touched(address, size, write);
  }
  void waits(std::uint64_t cycles) override {
    for (const auto& one : watchers_) one->waits(cycles);
  }
  void sleeps(std::uint64_t cycles) override {
    for (const auto& one : watchers_) one->sleeps(cycles);
  }
  void fails(const std::string& what, iss::StopReason reason) override {
    for (const auto& one : watchers_) one->fails(what, reason);
  }
  void measures(bool begins) override {
    for (const auto& one : watchers_) one->measures(begins);
  }
  void ended() override {
    for (const auto& one : watchers_) one->ended();
  }

 private:
  std::vector<std::unique_ptr<CoreWatcher>> watchers_;
};

}  // namespace ftlab::platform
