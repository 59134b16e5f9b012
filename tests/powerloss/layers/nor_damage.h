// What can happen to the cells of a NOR part at rest.
#pragma once

#include <algorithm>
#include <cstdint>

#include "tests/fixtures/dice.h"
#include "tests/fixtures/emulated_flash.h"
#include "tests/powerloss/damage_kind.h"

namespace ftlab::tests {

/// A stretch of bytes in a segment.
struct NorPlace {
  std::uint32_t segment = 0;
  std::uint32_t from = 0;
  std::uint32_t to = 0;
};

inline NorPlace some_segment(const PartGeometry& g, Dice& dice) { return {dice.below(g.segments), 0, g.segment_bytes}; }

inline void flip_a_bit(EmulatedFlash& flash, const NorPlace& place, Dice& dice) {
  flash.bytes(place.segment)[dice.between(place.from, place.to - 1)] ^= static_cast<std::byte>(1U << dice.below(8));
}
inline void fill_with(EmulatedFlash& flash, const NorPlace& place, int value) {
  std::fill(flash.bytes(place.segment) + place.from, flash.bytes(place.segment) + place.to,
            static_cast<std::byte>(value));
}
inline void fill_with_noise(EmulatedFlash& flash, const NorPlace& place, Dice& dice) {
  std::generate(flash.bytes(place.segment) + place.from, flash.bytes(place.segment) + place.to,
                [&] { return static_cast<std::byte>(dice.below(256)); });
}

}  // namespace ftlab::tests
