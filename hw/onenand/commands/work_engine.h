// Progress of a die's work: begin, completion, interrupt, suspension, abort.
// Knows which work may follow which; nothing of command codes and addresses.
//
// At most one piece of work occupies the array (active_) and one cached program waits for the page buffer (waiting_).
#pragma once

#include <algorithm>
#include <cstdint>

#include "hw/onenand/array/die_array.h"
#include "hw/onenand/commands/protection.h"
#include "hw/onenand/commands/status.h"
#include "hw/onenand/commands/work.h"
#include "hw/onenand/context.h"

namespace ftlab::hw {

class WorkEngine {
 public:
  WorkEngine(OneNandContext& device, std::uint32_t die, DieArray& array, DieProtection& protection)
      : device_(device), die_(die), array_(array), protection_(protection) {}

  /// Completes what ends up to and including `t`.
  void advance_to(Ticks t) {
    if (next_event_ <= t) run(t);
  }

  // --- what is under way ---
  [[nodiscard]] bool idle() const { return !active_on_ && int_at_ == kNever; }
  /// A cached program works and the page buffer is free for the next of its run.
  [[nodiscard]] bool in_background() const { return active_on_ && active_.cached && int_at_ == kNever && !waiting_on_; }
  [[nodiscard]] const Work* active() const { return active_on_ ? &active_ : nullptr; }
  [[nodiscard]] const Work* suspended() const { return suspended_on_ ? &suspended_ : nullptr; }
  /// DataRAM holds a loaded page: a superload may follow.
  [[nodiscard]] bool page_loaded() const { return page_loaded_; }
  /// How long a reset would take now.
  [[nodiscard]] Ticks reset_time() const;
  [[nodiscard]] DieStatus& status() { return status_; }
  [[nodiscard]] const DieStatus& status() const { return status_; }
  /// Controller status, without what the protection adds.
  [[nodiscard]] std::uint16_t status_word() const;
  /// Time at which the INT bit will be set; kNever when nothing will.
  [[nodiscard]] Ticks interrupt_at() const { return int_at_; }
  [[nodiscard]] Ticks next_event(Ticks now) const;

  // --- what commands make of it ---
  /// A command was accepted: interrupt and results of the one before are gone, but for those of a run of cached
  /// programs that goes on.
  void accept(bool programs);
  /// Idle before; the interrupt comes when it ends.
  void begin(const Work& work, Ticks t);
  /// Begins, or waits for the cached program before it.
  void program(const Work& work, Ticks t);
  /// The last program of a run was refused: the next command starts with a clean status.
  void end_cache_run() { cache_run_ = false; }
  void refuse(Ticks t, std::uint16_t status_bit, std::uint16_t interrupt_bits);
  /// Of the erase that is active.
  void suspend(Ticks t);
  void resume(Ticks t);
  /// The host has read the last words of DataRAM: what a superload waits for.
  void data_read_out(Ticks t);
  /// Everything is left half done; status as after power-up.
  void halt(Ticks t);

 private:
  /// Not inline: nearly every access finds that nothing has ended.
  [[gnu::noinline]] void run(Ticks t);
  void set_active(const Work& work, Ticks t);
  void begin_waiting(Ticks t);
  void finish_active();
  void finish_program(const Work& work);
  void end_op(Work& work, Ticks t, bool failed);
  void tear_op(Work& work, Ticks t);
  void abort_active(Ticks t);
  void interrupt_when(Ticks t, std::uint16_t bits) {
    int_at_ = t;
    int_bits_ = bits;
    schedule();
  }
  void schedule() { next_event_ = std::min(int_at_, active_on_ ? active_.end : kNever); }

  OneNandContext& device_;
  std::uint32_t die_;
  DieArray& array_;
  DieProtection& protection_;
  DieStatus status_;
  Work active_;
  Work waiting_;
  Work suspended_;
  bool active_on_ = false;
  bool waiting_on_ = false;
  bool suspended_on_ = false;
  bool page_loaded_ = false;
  bool cache_run_ = false;  ///< the last program was a cached one
  Ticks int_at_ = kNever;
  Ticks next_event_ = kNever;
  std::uint16_t int_bits_ = 0;
};

}  // namespace ftlab::hw
