// Losses of power at operations of the part: counts operations as they begin in the measured phase, mounts included,
// and says when power is to be lost. Knows no family of parts; what it hears does not depend on who else watches.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "platform/machine/machine.h"
#include "platform/study/study.h"

namespace ftlab::platform {

class OperationLosses final : public BeginListener, public TimeWatcher {
 public:
  /// `due_changed`: is called when next_due() comes earlier.
  OperationLosses(const PowerChoices& plan, Machine& machine, std::function<void()> due_changed);

  [[nodiscard]] std::size_t planned() const;
  /// Operations that begin from now on count.
  void begin();
  void end();
  /// When power is lost next; kNever: not in an operation that has begun. In the past: at once.
  [[nodiscard]] Ticks next_due() const { return due_.empty() ? kNever : due_.front(); }
  /// That has happened.
  void take_due() { due_.erase(due_.begin()); }

  void queued() override;
  void begins(hw::DeviceOpKind kind, Ticks begin, Ticks end) override;
  Ticks look(Ticks now) override;

 private:
  /// Of operations that are counted together.
  struct Count {
    std::vector<std::uint64_t> at;  ///< ascending
    std::size_t next = 0;           ///< of them
    std::uint64_t begun = 0;
    /// One more; whether power is to be lost in it.
    bool add();
  };

  Machine& machine_;
  std::function<void()> due_changed_;
  double share_;
  Count programs_;
  Count erases_;
  Count reads_;
  Count all_;
  std::vector<Ticks> due_;  ///< ascending
};

}  // namespace ftlab::platform
