// Erasing a segment of a pair: started, waited for or left running, held for reads, and tried again when it fails.
// Knows PairCommands and the erase that PairState names; nothing of programs, queues or callers.
#pragma once

#include <cstdint>

#include "firmware/driver/common/part_port.h"
#include "firmware/driver/series2plus/pair_commands.h"

namespace ftlab {

class PairErase {
 public:
  PairErase(MmioPort& common, PairCommands& commands, const Series2PlusDriverConfig& config)
      : common_(common), commands_(commands), config_(config) {}

  /// ok: under way (pair.erase = running). Otherwise nothing was started.
  PartStatus start(PairState& pair, std::uint32_t base);
  /// One status read. true: ended with `result`; false: still erasing, perhaps after another attempt was started.
  bool poll(PairState& pair, PartStatus& result);
  /// Waits for the end of the running erase.
  PartStatus wait(PairState& pair);
  /// The erase stands still so that other segments of the pair can be read. false: the pair did not answer.
  bool suspend(PairState& pair);
  void resume(PairState& pair);

  /// After a failure: abort, wake, clear. Beside an erase that would wear the erasing segment for nothing, so there
  /// only what hangs is aborted, and then the erase starts anew.
  void recover(PairState& pair, std::uint32_t base, PartStatus why);

 private:
  void issue(PairState& pair);
  bool end(PairState& pair, std::uint16_t csr, PartStatus& result);
  /// Holds the erase for as long as clearing the error bits takes. false: it did not come to a halt.
  bool clear_errors_beside(PairState& pair);

  MmioPort& common_;
  PairCommands& commands_;
  const Series2PlusDriverConfig& config_;
};

}  // namespace ftlab
