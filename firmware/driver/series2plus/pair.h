// What the driver remembers of one component pair, so that it sends no command twice and none too few.
#pragma once

#include <cstdint>

#include "hw/regs/series2plus_regs.h"

namespace ftlab {

/// What a read of the pair's common memory returns now. unknown: say it again before reading.
enum class ReadMode : std::uint8_t { unknown, array, compatible_status, extended_status };

enum class EraseState : std::uint8_t { none, running, suspended };

struct PairState {
  std::uint32_t first = 0;  ///< card address of the pair's first byte
  ReadMode mode = ReadMode::unknown;
  EraseState erase = EraseState::none;
  bool ready_line = false;        ///< RY/BY# follows the pair's state (level mode)
  std::uint32_t erase_base = 0;   ///< card address of the segment being erased
  std::uint32_t erase_tag = 0;    ///< PartOp::tag to report
  std::uint32_t erase_order = 0;  ///< start order over all pairs
  std::uint32_t erase_attempts = 0;
};

/// Component pairs a card may have: 64 MiB of common memory in the smallest cells we know.
inline constexpr std::uint32_t kMaxPairs = 32;

/// Byte lanes of the pair in a 16-bit cycle.
inline constexpr std::uint16_t kBothLanes = 0xFFFF;

/// A status bit in the lanes of interest.
constexpr std::uint16_t in_lanes(std::uint8_t bit, std::uint16_t lanes) {
  return static_cast<std::uint16_t>(hw::series2plus::doubled(bit) & lanes);
}

}  // namespace ftlab
