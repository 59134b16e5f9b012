// Command sequences of the 28F016SA pairs: what to write and read, in which order, to program, erase, suspend.
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
#include "firmware/port/flash_port.h"
#include "firmware/port/mmio_port.h"
#include "firmware/port/probe_port.h"

namespace ftlab {

class Series2PlusSequences {
 public:
  Series2PlusSequences(MmioPort& common, ProbePort& probe, const Series2PlusDriverConfig& config)
      : common_(common), probe_(probe), config_(config) {}

  /// Brings a pair from any state to idle: wakes it, ends a left-over suspension, clears errors. false: stays busy.
  bool bring_to_rest(PairState& pair);
  /// RY/BY# in level mode (true) or off. false: the pair refused.
  bool set_ready_line(PairState& pair, bool level);
  /// Makes BSR.6 report the true lock bits; after a reset it says "locked" for every block. false: the pair refused.
  bool upload_lock_bits(PairState& pair);

  /// Any address, any length, inside one pair. Array mode afterwards.
  void read(PairState& pair, std::uint32_t address, std::span<std::byte> into);
  /// Any address, any length, inside the segment at `base`. Tries again `retries` times.
  FlashStatus program(PairState& pair, std::uint32_t base, std::uint32_t address, std::span<const std::byte> from);

  /// ok: under way (pair.erase = running). Otherwise nothing was started.
  FlashStatus start_erase(PairState& pair, std::uint32_t base);
  /// One status read. true: ended with `result`; false: still erasing, perhaps after another attempt was started.
  bool poll_erase(PairState& pair, FlashStatus& result);
  /// Waits for the end of the running erase.
  FlashStatus wait_erase(PairState& pair);
  /// The erase stands still so that other segments of the pair can be read. false: the pair did not answer.
  bool suspend_erase(PairState& pair);
  void resume_erase(PairState& pair);

  /// Reads give data from now on, whatever becomes of the driver or of the write-protect switch.
  void show_array(PairState& pair);

 private:
  void show_extended_status(PairState& pair, std::uint32_t base);
  void show_compatible_status(PairState& pair, std::uint32_t base);
  /// Waits busily until the bit of `code` is set (or clear) in both lanes of a status cell.
  bool await_status(std::uint32_t address, std::uint8_t bit, bool set);
  void command(PairState& pair, std::uint32_t address, std::uint8_t code);
  bool confirmed_command(PairState& pair, std::uint8_t first, std::uint8_t second);
  /// Wakes the pair, too.
  void clear_status(PairState& pair, std::uint32_t base);
  /// After a failure: abort, wake, clear. Beside an erase that would wear the erasing segment for nothing, so there
  /// only what hangs is aborted, and then the erase starts anew.
  void recover(PairState& pair, std::uint32_t base, FlashStatus why);
  /// Holds the erase for as long as clearing the error bits takes. false: it did not come to a halt.
  bool clear_beside_erase(PairState& pair);

  bool segment_unlocked(PairState& pair, std::uint32_t base);
  FlashStatus try_buffer(PairState& pair, std::uint32_t base, std::uint32_t address, std::span<const std::byte> from);
  FlashStatus program_buffer(PairState& pair, std::uint32_t base, std::uint32_t address,
                             std::span<const std::byte> from);
  FlashStatus try_word(PairState& pair, std::uint32_t base, std::uint32_t address, std::uint16_t value,
                       std::uint16_t lanes);
  FlashStatus program_word(PairState& pair, std::uint32_t base, std::uint32_t address, std::uint16_t value,
                           std::uint16_t lanes);
  FlashStatus program_byte(PairState& pair, std::uint32_t base, std::uint32_t address, std::byte value);
  FlashStatus judge_block(std::uint16_t bsr, std::uint16_t lanes) const;
  void issue_erase(PairState& pair);
  bool end_erase(PairState& pair, std::uint16_t csr, FlashStatus& result);

  MmioPort& common_;
  ProbePort& probe_;
  const Series2PlusDriverConfig& config_;
};

}  // namespace ftlab
