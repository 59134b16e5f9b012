// The write state machine of a component: what work is admitted, when it ends and what status it leaves.
// Knows neither command cycles nor what reads show. A component that works for both lanes has one for both.
#pragma once

#include <array>
#include <cstdint>

#include "common/units.h"
#include "hw/series2plus/array/lanes.h"
#include "hw/series2plus/array/pair_array.h"
#include "hw/series2plus/commands/operation_queue.h"
#include "hw/series2plus/commands/operation_reports.h"
#include "hw/series2plus/commands/status_registers.h"
#include "hw/series2plus/context.h"

namespace ftlab::hw {

/// What the pair's components have in common and work with.
struct PairWork {
  CardContext& card;
  PairArray& array;
  OperationReports& reports;
};

class WriteStateMachine {
 public:
  WriteStateMachine(const PairWork& pair, Lanes lanes);

  [[nodiscard]] Lanes lanes() const { return lanes_; }
  void set_lanes(Lanes lanes) { lanes_ = lanes; }

  // --- work ---
  /// Whether the operation can be accepted; otherwise sets the error bits.
  bool admit(const Request& request, Ticks t);
  /// The caller has announced it; `shared`: so has the other component.
  void start(const Request& request, Ticks t, std::uint32_t id, std::uint32_t tag, bool shared);
  [[nodiscard]] Ticks next_event() const { return queue_.next_event(); }
  /// Completes what ends up to and including t.
  void advance_to(Ticks t);
  /// False where nothing can be suspended or resumed.
  bool suspend(Ticks t) { return queue_.suspend(t, card_->spec.timing.erase_suspend); }
  bool resume(Ticks t) { return queue_.resume(t); }
  /// Breaks everything off, half done; `csr_bits` and `bsr_bits` are left on it, beside its own error bit.
  void stop(Ticks t, std::uint8_t csr_bits, std::uint8_t bsr_bits);
  /// Some of the work needs the programming voltage.
  [[nodiscard]] bool works_with_vpp() const;
  /// RP# is low, everything is stopped.
  void reset();

  // --- what is seen of it ---
  [[nodiscard]] const OperationQueue& queue() const { return queue_; }
  [[nodiscard]] StatusRegisters& status() { return status_; }
  [[nodiscard]] const StatusRegisters& status() const { return status_; }
  [[nodiscard]] bool buffer_free(std::uint32_t buffer) const { return buffer_users_[buffer] == 0; }

  // --- RY/BY# output ---
  [[nodiscard]] std::uint8_t ready_mode() const { return ready_mode_; }
  void set_ready_mode(std::uint8_t mode) { ready_mode_ = mode; }
  /// End of the last RY/BY# pulse; of the last busy time.
  [[nodiscard]] Ticks pulse_end() const { return pulse_end_; }
  [[nodiscard]] Ticks last_rise() const { return last_rise_; }
  [[nodiscard]] Ticks pulse_width() const { return card_->spec.timing.ready_pulse; }

  // --- lanes in step ---
  /// The pair is about to split: everything under way becomes two halves of one operation.
  void share_operations();
  /// Nothing under way, and no difference from the other that shows.
  [[nodiscard]] bool same_state(const WriteStateMachine& other, Ticks t) const;

 private:
  /// What has just begun to be executed.
  void announce(Ticks t);
  void finish(const Operation& operation, Ticks t);
  bool finish_program(const Operation& operation);
  bool erase(std::uint32_t block);
  bool erase_all(const Request& request);
  void upload_locks();
  void leave_half_done(const Operation& operation);
  void leave_erase_half_done(const Operation& operation, Ticks total);
  void set_power(Operation& operation, Ticks t) const;

  CardContext* card_;
  PairArray* array_;
  OperationReports* reports_;
  std::uint32_t block_shift_;  ///< log2 of the bytes of a block
  Lanes lanes_;
  std::uint8_t ready_mode_ = series2plus::ready_mode::kLevel;
  std::array<std::uint8_t, 2> buffer_users_{};  ///< operations that read or fill the buffer
  Ticks pulse_end_{};
  Ticks last_rise_{};
  StatusRegisters status_;
  OperationQueue queue_;
};

}  // namespace ftlab::hw
