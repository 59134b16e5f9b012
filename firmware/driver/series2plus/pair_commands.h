// Single commands of the 28F016SA pairs: what a read returns, waits for status, set-up, a way out of any state.
// Knows one pair at a time (PairState) and card addresses; nothing of queues, attribute memory or callers.
//
// Invariant: PairState::mode is what a read of the pair returns, or unknown. Every sequence that leaves another
// mode behind says so there, and data is read in array mode only.
// `base` is the card address of a segment's first byte: its status registers live there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/driver/series2plus/config.h"
#include "firmware/driver/series2plus/pair.h"
#include "firmware/port/mmio_port.h"

namespace ftlab {

class PairCommands {
 public:
  PairCommands(MmioPort& common, const Series2PlusDriverConfig& config) : common_(common), config_(config) {}

  /// Brings a pair from any state to idle: wakes it, ends a left-over suspension, clears errors. false: stays busy.
  bool bring_to_rest(PairState& pair);
  /// RY/BY# in level mode (true) or off. false: the pair refused.
  bool set_ready_line(PairState& pair, bool level);
  /// Makes BSR.6 report the true lock bits; after a reset it says "locked" for every block. false: the pair refused.
  bool upload_lock_bits(PairState& pair);
  /// No lock bit of the segment is set; asks for the true bits when it seems so.
  bool segment_unlocked(PairState& pair, std::uint32_t base);

  /// Any address, any length, inside one pair. Array mode afterwards.
  void read(PairState& pair, std::uint32_t address, std::span<std::byte> into);

  /// Reads give data from now on, whatever becomes of the driver or of the write-protect switch.
  void show_array(PairState& pair);
  void show_extended_status(PairState& pair, std::uint32_t base);
  void show_compatible_status(PairState& pair, std::uint32_t base);
  /// Waits busily until the bit of `code` is set (or clear) in both lanes of a status cell.
  bool await_status(std::uint32_t address, std::uint8_t bit, bool set);

  /// Both components get the command; what reads return is unknown afterwards.
  void command(PairState& pair, std::uint32_t address, std::uint8_t code);
  /// Wakes the pair, too.
  void clear_status(PairState& pair, std::uint32_t base);
  /// Ends whatever the pair does, erases included; then wakes it and clears its errors.
  void abort(PairState& pair, std::uint32_t base);

 private:
  bool confirmed_command(PairState& pair, std::uint8_t first, std::uint8_t second);

  MmioPort& common_;
  const Series2PlusDriverConfig& config_;
};

}  // namespace ftlab
