// One die: what command codes mean to it and which of them it refuses. Works on its share of the cells.
// Knows the shared registers; nothing of the bus, of the other die or of why a command is given.
//
// A command is accepted when the die is idle; while a cached program runs in the background only the next program of
// the run is; while an erase runs, only its suspend; resets always. Anything else given to a busy die is ignored.
// A command that the part refuses changes nothing but status: Error and the interrupt, after the command time.
#pragma once

#include <cstdint>

#include "hw/onenand/array/die_array.h"
#include "hw/onenand/commands/protection.h"
#include "hw/onenand/commands/work_engine.h"
#include "hw/onenand/context.h"

namespace ftlab::hw {

/// What brought a reset about: a command, the RP# pin, or the supply coming up.
enum class ResetKind : std::uint8_t { command, warm, cold };

class Die {
 public:
  /// Its cold boot has just finished.
  Die(OneNandContext& device, std::uint32_t index);
  Die(const Die&) = delete;
  Die& operator=(const Die&) = delete;

  /// Completes what ends up to and including `t`.
  void advance_to(Ticks t) { engine_.advance_to(t); }

  // --- host side; the caller has advanced the die ---
  void command(Ticks t, std::uint16_t code);
  /// Load of page 0 of segment 0, the two-cycle command of the BootRAM.
  void load_first_page(Ticks t);
  /// Cold and warm resets also lock all segments and fill the BootRAM.
  void reset(Ticks t, ResetKind kind);
  /// The other die got a core reset: OTP and partition access end here, too; work under way goes on.
  void leave_special_access() { access_ = Access::array; }
  /// Supply gone or RP# low: work under way is left half done.
  void halt(Ticks t);
  void scramble_ram() { array_.scramble_ram(); }
  /// The host has read the last words of DataRAM.
  void data_read_out(Ticks t) { engine_.data_read_out(t); }
  void clear_interrupt(std::uint16_t keep) { engine_.status().interrupt &= keep; }
  [[nodiscard]] std::uint16_t interrupt() const { return engine_.status().interrupt; }
  [[nodiscard]] std::uint16_t status() const { return engine_.status_word() | protection_.status_bits(); }
  [[nodiscard]] std::uint16_t ecc_status(std::uint32_t index) const { return engine_.status().ecc[index]; }
  [[nodiscard]] BufferRam& ram() { return array_.ram(); }

  // --- waiting and inspection ---
  [[nodiscard]] Ticks next_event(Ticks now) const { return engine_.next_event(now); }
  /// Time at which the INT bit will be set; kNever when nothing will.
  [[nodiscard]] Ticks interrupt_at() const { return engine_.interrupt_at(); }
  [[nodiscard]] const DieProtection& protection() const { return protection_; }
  /// Boundary and locks are in force as the cells have them at `t`.
  void read_cells(Ticks t);

 private:
  enum class Access : std::uint8_t { array, otp, partition };
  enum class Aim : std::uint8_t { page, segment };
  struct Target {
    std::uint32_t segment = 0;
    std::uint32_t page = 0;
    bool slc = false;
    bool legal = false;
  };

  [[nodiscard]] bool accepts(std::uint16_t code) const;
  void execute(Ticks t, std::uint16_t code);
  [[nodiscard]] Target target(Aim aim = Aim::page) const;
  [[nodiscard]] bool may_program(const Target& where) const;
  [[nodiscard]] bool may_erase(const Target& where) const;
  [[nodiscard]] Work work_on(WorkKind kind, const Target& where) const;
  void load(Ticks t, WorkKind kind);
  void start_load(Ticks t, WorkKind kind, const Target& where);
  void program(Ticks t, bool cached);
  void erase(Ticks t);
  void suspend(Ticks t);
  void resume(Ticks t);
  void protect(Ticks t, std::uint16_t code);
  void enter(Ticks t, Access access);
  /// Occupies the die for a while, without array work.
  void plain(Ticks t, Ticks duration);

  OneNandContext& device_;
  std::uint32_t index_;
  DieArray array_;
  DieProtection protection_;
  WorkEngine engine_;
  Access access_ = Access::array;
};

}  // namespace ftlab::hw
