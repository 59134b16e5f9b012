// RDY/BSY# of the card from the RY/BY# outputs of its components, now and in the future if nobody interferes.
// Standard mode: high while every output is high. High-performance mode: goes high when any component becomes ready and
// stays high until acknowledged; a component that becomes ready while the line is high gives no edge of its own, so
// acknowledge first and then look at every component.
#pragma once

#include <optional>
#include <vector>

#include "common/units.h"
#include "hw/series2plus/commands/component_pairs.h"

namespace ftlab::hw {

class ReadyLine {
 public:
  explicit ReadyLine(const ComponentPairs& pairs) : pairs_(pairs) {}

  [[nodiscard]] bool level(Ticks now) const { return high_performance_ ? latched(now) : all_ready(now); }
  [[nodiscard]] bool all_ready(Ticks now) const;
  [[nodiscard]] Ticks next_edge(Ticks now) const;
  [[nodiscard]] Ticks next_change(Ticks now) const;

  [[nodiscard]] bool high_performance() const { return high_performance_; }
  void set_high_performance(bool on) { high_performance_ = on; }
  void acknowledge(Ticks now) { acknowledged_ = now; }

 private:
  /// RY/BY# is low in [from, to).
  struct LowTime {
    Ticks from{};
    Ticks to{};
  };
  /// Gathers the low times that end after `since`.
  void collect(const WriteStateMachine& machine, Ticks since) const;
  void collect_all(Ticks since) const;
  /// When all components merely level their outputs: the end of their busy times. nullopt with pulses about.
  [[nodiscard]] std::optional<Ticks> end_of_levels() const {
    if (known_at_ != pairs_.work_changes()) {
      known_at_ = pairs_.work_changes();
      end_of_levels_ = find_end_of_levels();
    }
    return end_of_levels_;
  }
  [[nodiscard]] std::optional<Ticks> find_end_of_levels() const;
  [[nodiscard]] bool low_at(Ticks t) const;
  [[nodiscard]] bool latched(Ticks now) const;

  const ComponentPairs& pairs_;
  bool high_performance_ = false;
  Ticks acknowledged_{};
  // Masters ask behind every write, and most of these are data of a page buffer.
  mutable std::uint64_t known_at_ = ~std::uint64_t{0};  ///< work_changes() of what is known
  mutable std::optional<Ticks> end_of_levels_;
  mutable std::vector<LowTime> low_;  ///< scratch, kept to avoid allocation
};

}  // namespace ftlab::hw
