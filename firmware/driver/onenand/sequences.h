// Command sequences of the Flex-OneNAND: what to write and read, in which order, to load, program, erase, unlock.
// Knows places in one die at a time; nothing of queues, FlashOps or callers.
//
// Invariants: selected_ is the die whose DataRAM and status the window shows (DBS); F200h holds its only legal value;
// ECC is on between calls. The interrupt register needs no clearing: a command clears it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/driver/onenand/config.h"
#include "firmware/port/flash_port.h"
#include "firmware/port/mmio_port.h"

namespace ftlab {

/// A page of the part, or a segment where `page` does not matter.
struct OneNandPlace {
  std::uint16_t die = 0;
  std::uint16_t segment = 0;  ///< of the die
  std::uint16_t page = 0;
};

/// How an array operation ended, and how many bits of its worst sector were corrected (loads).
struct OneNandResult {
  FlashStatus status = FlashStatus::ok;
  std::uint8_t corrected_bits = 0;
};

/// Spare bytes of a page as the part lays them out: eight slots of 16.
inline constexpr std::uint32_t kOneNandRawSpare = 128;
using OneNandSpare = std::array<std::byte, kOneNandRawSpare>;

class OneNandSequences {
 public:
  OneNandSequences(MmioPort& port, const OneNandDriverConfig& config) : port_(port), config_(config) {}

  // Attaching: identify(), configure(), then the rest for every die.
  struct Identity {
    std::uint16_t manufacturer = 0;
    std::uint16_t device = 0;
    std::uint16_t version = 0;
    bool consistent = false;  ///< identifier mode and registers agree
  };
  /// Resets the part, reads its identifiers both ways. false: it stayed busy.
  bool identify(Identity& identity);
  /// System configuration and start buffer; after a reset of the registers.
  void configure(std::uint16_t version);
  /// Ends what a die may still be doing, then unlocks its segments (those locked tight stay locked). false: it stayed
  /// busy.
  bool unlock_all(std::uint16_t die);
  /// What F24Eh says of all `segments` of a die.
  [[nodiscard]] bool all_unlocked(std::uint16_t die, std::uint32_t segments);
  /// The word of the partition information, as ECC off brings it: unchecked. false: it stayed busy or cannot be read.
  bool read_partition(std::uint16_t die, std::uint16_t& word);

  // Array operations; each waits for its end unless it says "start".
  /// Page to DataRAM. `lsb`: a page whose partner may have spoiled it; the recovery read is tried when ECC gives up.
  OneNandResult load(const OneNandPlace& place, bool lsb);
  /// DataRAM to page.
  FlashStatus program(const OneNandPlace& place);
  FlashStatus erase(const OneNandPlace& place);
  void start_erase(const OneNandPlace& place);
  /// One look at a started erase. true: it ended with `status`.
  bool poll_erase(const OneNandPlace& place, FlashStatus& status);
  /// Waits for a started erase.
  FlashStatus wait_erase(const OneNandPlace& place);

  // Runs of pages; see onenand_runs.cpp.
  /// A page of a run. ok before the `last` page: taken, the next page may be put into DataRAM; how it ended shows in
  /// `previous_failed` of the call after it. Anything else ends the run, with nothing left under way.
  FlashStatus program_in_run(const OneNandPlace& place, bool last, bool& previous_failed);
  /// A cached program of a locked segment makes the part reset itself: to be asked before a run.
  bool unlocked(const OneNandPlace& place);
  /// Starts to load the next page of a run behind the one in DataRAM; it gets there when the last words of the spare
  /// area are read.
  void start_superload(const OneNandPlace& next);
  OneNandResult wait_superload();

  // DataRAM of the selected die.
  void select(std::uint16_t die);
  void read_main(std::uint32_t offset, std::span<std::byte> into);
  void read_spare(OneNandSpare& into);
  void write_main(std::span<const std::byte> from);
  /// Main area of FFh.
  void blank_main();
  void write_spare(const OneNandSpare& from);

 private:
  void address(const OneNandPlace& place);
  void command(std::uint16_t code);
  WaitResult await(std::uint16_t bits, DriverWait how, std::uint64_t poll_ns);
  WaitResult await_program();
  WaitResult await_erase();
  /// Gets the addressed die out of whatever it hangs in.
  FlashStatus give_up();
  OneNandResult judge_load();
  FlashStatus judge_write(const OneNandPlace& place, FlashStatus failed);
  /// Why a program or erase ended with an error.
  FlashStatus refusal(const OneNandPlace& place, FlashStatus failed);
  /// Core reset of the addressed die: ends whatever it does, and special access. false: it stayed busy.
  bool reset_core();

  MmioPort& port_;
  const OneNandDriverConfig& config_;
  std::uint16_t selected_ = 0;
  std::uint16_t system_config_ = 0;
};

}  // namespace ftlab
