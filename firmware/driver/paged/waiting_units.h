// NAND with several pages in a program unit: what has come of each waits in memory until its last page has come. Knows
// no operation.
//
// Invariant: of a unit that waits its first pages have come, in ascending order, and not the last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/driver/paged/unit_tag.h"
#include "firmware/port/flash_port.h"

namespace ftlab::paged {

struct WaitingUnit {
  struct Page {
    FlashDone done;  ///< as it ends if the program does
    bool report = false;
  };
  std::uint32_t first = FlashOp::kNoPage;  ///< of its pages; kNoPage: not in use
  std::uint32_t count = 0;                 ///< of those that have come
  std::uint8_t lost = 0;                   ///< of each a bit: TagKind::lost
  bool fails = false;                      ///< one could not come: none is programmed
  std::span<Page> pages;
  std::span<FlashMetadata> metadata;
  std::span<std::byte> data;
  std::span<std::byte> beside;

  [[nodiscard]] bool whole() const { return count == pages.size(); }
};

class WaitingUnits {
 public:
  void layout(Arena& arena, const FlashGeometry& geometry, std::uint32_t units, std::uint32_t beside_bytes);
  /// The one that the page belongs to; null: nothing of it waits.
  [[nodiscard]] WaitingUnit* find(std::uint32_t die, std::uint32_t page);
  [[nodiscard]] bool any_in(std::uint32_t die, std::uint32_t first_page, std::uint32_t end_page) const;
  /// The one that takes the page next; null: another page comes before it, there are too many units, or its metadata do
  /// not go with those of the pages before.
  [[nodiscard]] WaitingUnit* next_for(std::uint32_t die, std::uint32_t page, const FlashMetadata& metadata);

 private:
  [[nodiscard]] std::span<WaitingUnit> of(std::uint32_t die) const { return units_.subspan(die * per_die_, per_die_); }

  std::span<WaitingUnit> units_;
  std::uint32_t per_die_ = 0;
  std::uint32_t at_once_ = 1;
};

}  // namespace ftlab::paged
