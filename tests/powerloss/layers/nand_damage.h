// What can happen to the pages of a NAND part at rest, for every layer on it. ECC turns flipped bits into corrected
// data or into a page that cannot be read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "tests/fixtures/dice.h"
#include "tests/fixtures/emulated_nand.h"
#include "tests/powerloss/damage_kind.h"

namespace ftlab::tests {

inline void blank_page(EmulatedNand& flash, std::uint32_t segment, std::uint32_t page) {
  EmulatedNand::Segment& s = flash.at_rest(segment);
  const std::uint32_t bytes = static_cast<std::uint32_t>(s.data.size() / s.state.size());
  const std::uint32_t spare = static_cast<std::uint32_t>(s.spare.size() / s.state.size());
  std::fill_n(s.data.begin() + page * bytes, bytes, std::byte{0xFF});
  std::fill_n(s.spare.begin() + page * spare, spare, std::byte{0xFF});
  s.state[page] = EmulatedNand::PageState::blank;
}

inline void lose_segment(EmulatedNand& flash, std::uint32_t segment) {
  for (std::uint32_t page = 0; page < flash.at_rest(segment).state.size(); ++page) flash.lose_page(segment, page);
}

inline void blank_segment(EmulatedNand& flash, std::uint32_t segment) {
  for (std::uint32_t page = 0; page < flash.at_rest(segment).state.size(); ++page) blank_page(flash, segment, page);
  flash.at_rest(segment).next_page = 0;
}

/// A page that was programmed.
inline bool some_programmed_page(EmulatedNand& flash, Dice& dice, std::uint32_t& segment, std::uint32_t& page) {
  for (int attempt = 0; attempt < 1000; ++attempt) {
    segment = dice.below(flash.geometry().segments);
    page = dice.below(static_cast<std::uint32_t>(flash.at_rest(segment).state.size()));
    if (flash.page_state(segment, page) == EmulatedNand::PageState::whole) return true;
  }
  return false;
}

inline void damage_page(EmulatedNand& flash, Dice& dice, bool blank) {
  std::uint32_t segment = 0;
  std::uint32_t page = 0;
  if (!some_programmed_page(flash, dice, segment, page)) return;
  blank ? blank_page(flash, segment, page) : flash.lose_page(segment, page);
}

inline void damage_data_segment(EmulatedNand& flash, Dice& dice, bool blank) {
  std::uint32_t segment = 0;
  std::uint32_t page = 0;
  if (!some_programmed_page(flash, dice, segment, page)) return;
  blank ? blank_segment(flash, segment) : lose_segment(flash, segment);
}

}  // namespace ftlab::tests
