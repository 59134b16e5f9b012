// Array operations of the Flex-OneNAND: what to write and read, in which order, to load, program and erase a page.
// Knows places in one die at a time; nothing of queues, PartOps or callers.
//
// Invariant: ECC is on between calls. The interrupt register needs no clearing: a command clears it.
#pragma once

#include <cstdint>

#include "firmware/driver/onenand/bus.h"

namespace ftlab {

/// What an array does.
enum class OneNandWork : std::uint8_t {
  load,     ///< page to DataRAM
  program,  ///< DataRAM to page
  erase,
};

class OneNandSequences {
 public:
  explicit OneNandSequences(OneNandBus& bus) : bus_(bus), config_(bus.config()) {}

  void start(OneNandWork work, const OneNandPlace& place);
  /// One look at what was started.
  bool has_ended(OneNandWork work, const OneNandPlace& place);
  /// Waits for the end, but no longer than `ns`.
  bool await_end(OneNandWork work, const OneNandPlace& place, std::uint64_t ns);
  /// How it ended. `lsb`: a page whose partner may have spoiled it; the recovery read is tried when ECC gives up.
  OneNandResult result(OneNandWork work, const OneNandPlace& place, bool lsb = false);
  /// Waits for the end; a part that never gets ready is reset.
  OneNandResult finish(OneNandWork work, const OneNandPlace& place, bool lsb = false);
  OneNandResult run(OneNandWork work, const OneNandPlace& place, bool lsb = false) {
    start(work, place);
    return finish(work, place, lsb);
  }

  /// Longest time that any of them takes.
  [[nodiscard]] std::uint64_t deadline_ns() const { return config_.deadline_ns; }

  // Runs of pages; see runs.cpp.
  /// A page of a run. ok before the `last` page: taken, the next page may be put into DataRAM; how it ended shows in
  /// `previous_failed` of the call after it. Anything else ends the run, with nothing left under way.
  PartStatus program_in_run(const OneNandPlace& place, bool last, bool& previous_failed);
  /// Starts to load the next page of a run behind the one in DataRAM; it gets there when the last words of the spare
  /// area are read.
  void start_superload(const OneNandPlace& next);
  OneNandResult wait_superload();

 private:
  [[nodiscard]] WaitResult await(OneNandWork work, std::uint64_t deadline_ns);
  /// Gets the addressed die out of whatever it hangs in.
  PartStatus give_up();
  OneNandResult judge_load();
  OneNandResult recovery_read(const OneNandPlace& place);
  PartStatus judge_write(const OneNandPlace& place, PartStatus failed);
  /// Why a program or erase ended with an error.
  PartStatus refusal(const OneNandPlace& place, PartStatus failed);

  OneNandBus& bus_;
  const OneNandDriverConfig& config_;
};

}  // namespace ftlab
