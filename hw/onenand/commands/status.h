// Status registers and interrupt register of one die. Plain values: who sets them knows why.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "hw/regs/onenand_regs.h"

namespace ftlab::hw {

struct DieStatus {
  std::uint16_t interrupt = 0;
  std::uint16_t sticky = 0;  ///< Error and what failed, cache program failures; until the next command
  std::array<std::uint16_t, 4> ecc{};

  /// Of the page loaded last: some sector has more errors than the code corrects.
  [[nodiscard]] bool unreadable() const {
    return std::ranges::any_of(ecc, [](std::uint16_t s) { return (s & flexonenand::ecc::kUncorrectableMask) != 0; });
  }
  /// Some sector has errors.
  [[nodiscard]] bool corrected() const {
    return std::ranges::any_of(ecc, [](std::uint16_t s) { return s != 0; });
  }

  void reset() { *this = DieStatus{}; }
  void fail(std::uint16_t bits) { sticky |= flexonenand::status::kError | bits; }
};

}  // namespace ftlab::hw
