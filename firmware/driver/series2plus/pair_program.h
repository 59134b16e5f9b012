// Programming a run of bytes: page buffers for long runs, words for short ones, one lane for odd ends.
// Knows PairCommands, and PairErase for what a failure does to an erase that runs beside; nothing of queues or callers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/driver/series2plus/pair_erase.h"
#include "firmware/port/probe_port.h"

namespace ftlab {

class PairProgram {
 public:
  PairProgram(MmioPort& common, PairCommands& commands, PairErase& erase, ProbePort& probe,
              const Series2PlusDriverConfig& config)
      : common_(common), commands_(commands), erase_(erase), probe_(probe), config_(config) {}

  /// Any address, any length, inside the segment at `base`. Tries again `retries` times.
  PartStatus program(PairState& pair, std::uint32_t base, std::uint32_t address, std::span<const std::byte> from);

 private:
  PartStatus try_buffer(PairState& pair, std::uint32_t base, std::uint32_t address, std::span<const std::byte> from);
  PartStatus program_buffer(PairState& pair, std::uint32_t base, std::uint32_t address,
                            std::span<const std::byte> from);
  PartStatus try_word(PairState& pair, std::uint32_t base, std::uint32_t address, std::uint16_t value,
                      std::uint16_t lanes);
  PartStatus program_word(PairState& pair, std::uint32_t base, std::uint32_t address, std::uint16_t value,
                          std::uint16_t lanes);
  PartStatus program_byte(PairState& pair, std::uint32_t base, std::uint32_t address, std::byte value);
  [[nodiscard]] PartStatus judge_block(std::uint16_t bsr, std::uint16_t lanes) const;

  MmioPort& common_;
  PairCommands& commands_;
  PairErase& erase_;
  ProbePort& probe_;
  const Series2PlusDriverConfig& config_;
};

}  // namespace ftlab
