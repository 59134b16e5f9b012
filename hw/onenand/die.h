// One die: its command machine, buffer RAM, status registers and block protection. Works on its share of the cells.
// Knows the shared registers; nothing of the bus, of the other die or of why a command is given.
//
// At most one piece of work occupies the array (active_) and one cached program waits for the page buffer (waiting_).
// A command is accepted when the die is idle; while a cached program runs in the background only the next program of
// the run is; while an erase runs, only its suspend; resets always. Anything else given to a busy die is ignored.
// A command that the part refuses changes nothing but status: Error and the interrupt, after the command time.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "hw/onenand/buffer_ram.h"
#include "hw/onenand/die_work.h"
#include "hw/onenand/onenand_context.h"

namespace ftlab::hw {

/// What brought a reset about: a command, the RP# pin, or the supply coming up.
enum class ResetKind : std::uint8_t { command, warm, cold };

class Die {
 public:
  Die(OneNandContext& device, std::uint32_t index);

  /// Completes what ends up to and including `t`.
  void advance_to(Ticks t) {
    if (next_event_ <= t) run(t);
  }

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
  void scramble_ram();
  /// The host has read the last words of DataRAM: what a superload waits for.
  void data_read_out(Ticks t);
  void clear_interrupt(std::uint16_t keep) { interrupt_ &= keep; }
  [[nodiscard]] std::uint16_t interrupt() const { return interrupt_; }
  [[nodiscard]] std::uint16_t status() const;
  [[nodiscard]] std::uint16_t ecc_status(std::uint32_t index) const { return ecc_[index]; }
  [[nodiscard]] std::uint16_t protection(std::uint32_t fba) const { return protection_[fba]; }
  [[nodiscard]] BufferRam& ram() { return ram_; }

  // --- waiting and inspection ---
  [[nodiscard]] Ticks next_event(Ticks now) const;
  /// Time at which the INT bit will be set; kNever when nothing will.
  [[nodiscard]] Ticks interrupt_at() const { return int_at_; }
  [[nodiscard]] std::uint32_t boundary() const { return boundary_; }
  [[nodiscard]] bool is_slc(std::uint32_t fba) const { return fba <= boundary_; }
  /// Puts the boundary that a load at `t` would find in the cells into force.
  void read_boundary(Ticks t);
  void read_otp_locks();
  /// Constructed state: cold boot just finished.
  void finish_boot();

 private:
  enum class Access : std::uint8_t { array, otp, partition };
  enum class Aim : std::uint8_t { page, segment };
  struct Target {
    std::uint32_t segment = 0;
    std::uint32_t page = 0;
    bool slc = false;
    bool legal = false;
  };

  // --- die_commands.cpp ---
  [[nodiscard]] bool accepts(std::uint16_t code) const;
  [[nodiscard]] bool idle() const { return !active_on_ && int_at_ == kNever; }
  [[nodiscard]] bool in_background() const { return active_on_ && active_.cached && int_at_ == kNever && !waiting_on_; }
  [[nodiscard]] Target target(Aim aim = Aim::page) const;
  [[nodiscard]] bool may_program(const Target& where) const;
  [[nodiscard]] bool may_erase(const Target& where) const;
  void load(Ticks t, WorkKind kind);
  /// From the command of a load until its page is in the page buffer.
  [[nodiscard]] Ticks sense_time(bool slc) const;
  void start_load(Ticks t, WorkKind kind, const Target& where);
  void program(Ticks t, bool cached);
  void erase(Ticks t);
  void suspend(Ticks t);
  void resume(Ticks t);
  void protect(Ticks t, std::uint16_t code);
  void plain(Ticks t, Ticks duration);
  void refuse(Ticks t, std::uint16_t status_bit, std::uint16_t interrupt_bits);

  // --- die.cpp ---
  void run(Ticks t);
  void begin(Work work, Ticks t);
  void begin_program(Ticks t);
  void finish_active();
  void end_op(Work& work, Ticks t, bool failed);
  void abort(Ticks t);
  void leave_half_done(const Work& work, Ticks t);
  void schedule() { next_event_ = std::min(int_at_, active_on_ ? active_.end : kNever); }

  // --- die_array.cpp ---
  void finish_load(const Work& work);
  void finish_program(Work& work);
  void store_page(const Work& work, std::uint8_t flags);
  void spoil_partner(const Work& work);
  void finish_erase(Work& work);
  void fill_boot_ram();
  [[nodiscard]] std::uint16_t stored_word(std::uint32_t segment, std::uint32_t page, std::uint32_t offset) const;
  [[nodiscard]] bool partition_locked() const;

  OneNandContext& device_;
  std::uint32_t index_;
  std::uint32_t first_segment_;
  BufferRam ram_;
  PageBytes page_buffer_;
  Work active_;
  Work waiting_;
  Work suspended_;
  bool active_on_ = false;
  bool waiting_on_ = false;
  bool suspended_on_ = false;
  Ticks int_at_ = kNever;
  Ticks next_event_ = kNever;
  std::uint16_t int_bits_ = 0;
  std::uint16_t interrupt_ = 0;
  std::uint16_t sticky_ = 0;  ///< Error and what failed, cache program failures
  std::array<std::uint16_t, 4> ecc_{};
  Access access_ = Access::array;
  bool page_loaded_ = false;  ///< DataRAM holds a loaded page: a superload may follow
  bool cache_run_ = false;    ///< the last program was a cached one
  std::uint32_t boundary_ = 0;
  bool otp_locked_ = false;
  bool first_block_locked_ = false;
  std::vector<std::uint8_t> protection_;
};

}  // namespace ftlab::hw
