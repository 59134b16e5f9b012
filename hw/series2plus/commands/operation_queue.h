// What one write state machine has to do and in which order: the operation under way, the command queue, suspension.
// Knows time and order; nothing of data, status bits or energy. Copyable, so that the future can be tried out.
//
// Rules: operations start in the order accepted, except that a program goes before an erase of another block that was
// accepted earlier (auto-suspend when that erase already runs). Operations on one block keep their order. A started
// erase is always the oldest operation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "common/units.h"
#include "hw/regs/series2plus_regs.h"

namespace ftlab::hw {

enum class OperationKind : std::uint8_t { program, buffer_program, erase, erase_all, lock, upload_locks, upload_info };

constexpr bool is_program(OperationKind kind) {
  return kind == OperationKind::program || kind == OperationKind::buffer_program;
}
constexpr bool is_erase(OperationKind kind) { return kind == OperationKind::erase || kind == OperationKind::erase_all; }

/// What a command asks for.
struct Request {
  OperationKind kind = OperationKind::program;
  std::uint8_t buffer = 0;          ///< buffer_program, upload_info: page buffer
  bool honours_locks = true;        ///< lock bits count: refused, or left out of an erase of all
  std::array<std::byte, 4> data{};  ///< program: bytes of both lanes, interleaved
  std::uint32_t block = 0;          ///< block of the component
  std::uint32_t address = 0;        ///< first byte in the component
  std::uint32_t length = 0;         ///< bytes in the component
};

/// A request under way. Filled in its slot by the component; nothing here is initialised, as it happens per page.
struct Operation {
  Request request;
  bool started;
  bool announced;           ///< as begun
  bool worn;                ///< will end in failure
  bool shared;              ///< the other component works on its half of the same operation
  std::uint8_t components;  ///< as the observer knows it: 2 when announced for the pair
  std::uint32_t id;         ///< equal for the two halves of a shared operation
  std::uint32_t tag;        ///< the observer's
  Ticks accepted;
  Ticks remaining;
  Ticks worked;
  Ticks suspended;
  Ticks suspended_since;
  std::int64_t power_uw;      ///< of one component while it works
  std::int64_t suspended_uw;  ///< of one component while suspended
};

class OperationQueue {
 public:
  static constexpr std::uint32_t kSlots = series2plus::kQueueDepth + 1;

  [[nodiscard]] std::uint32_t size() const { return count_; }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] bool full() const { return count_ == kSlots; }
  /// Some operation is being executed.
  [[nodiscard]] bool running() const { return running_ >= 0; }
  [[nodiscard]] bool suspended() const { return suspended_; }
  [[nodiscard]] Operation& slot(std::uint32_t i) { return slots_[i]; }
  [[nodiscard]] const Operation& slot(std::uint32_t i) const { return slots_[i]; }
  /// Some operation, done or not begun, concerns the block.
  [[nodiscard]] bool concerns(std::uint32_t block) const;

  /// Next time at which something happens by itself: the running operation ends or gives way. kNever: nothing.
  [[nodiscard]] Ticks next_event() const { return next_event_; }
  /// The next event is the end of running_operation(), not a suspension.
  [[nodiscard]] bool next_event_finishes() const;
  [[nodiscard]] Operation& running_operation() { return slots_[static_cast<std::uint32_t>(running_)]; }
  [[nodiscard]] const Operation& running_operation() const { return slots_[static_cast<std::uint32_t>(running_)]; }
  /// The next event behind a time, if nobody interferes until then.
  [[nodiscard]] Ticks next_event_after(Ticks t) const;
  /// Time at which nothing runs any more if nobody interferes; kNever when nothing runs.
  [[nodiscard]] Ticks idle_at() const { return count_ <= 1 ? next_event_ : simulate_idle_at(); }

  /// Books the work of the running operation up to its end. Call at next_event() when it finishes; then pop().
  void account_finish();
  /// Removes the running operation and starts what comes next at time t.
  void pop(Ticks t);
  /// Executes a suspension that is due at time t.
  void give_way(Ticks t);

  /// Not full: the slot for a new operation, to be filled and then admitted with schedule().
  [[nodiscard]] Operation& next_slot() { return slots_[count_]; }
  /// `auto_suspend`: time that a running erase takes to give way to a program.
  void schedule(Ticks now, Ticks auto_suspend);
  /// False when there is no started erase to suspend or it is suspended already.
  bool suspend(Ticks now, Ticks latency);
  /// False when nothing is suspended.
  bool resume(Ticks now);
  /// Books the work done so far, so that the slots can be read out, and stops. Then clear().
  void stop_all(Ticks now);
  void clear();

 private:
  [[nodiscard]] Ticks run_end() const { return run_since_ + slots_[static_cast<std::uint32_t>(running_)].remaining; }
  /// A program that may run although older operations wait.
  [[nodiscard]] bool may_overtake(std::uint32_t index) const;
  [[nodiscard]] Ticks simulate_idle_at() const;
  /// Goes through the next event without anything coming of it: for copies, to try the future out.
  void skip_event();
  void bank(Ticks t);
  void update_next_event();
  void pick(Ticks t);

  std::array<Operation, kSlots> slots_{};
  std::uint32_t count_ = 0;
  std::int32_t running_ = -1;
  bool suspend_requested_ = false;
  bool suspended_ = false;
  Ticks run_since_{};
  Ticks stop_at_ = kNever;
  Ticks next_event_ = kNever;  ///< asked at every bus cycle, so kept
};

}  // namespace ftlab::hw
