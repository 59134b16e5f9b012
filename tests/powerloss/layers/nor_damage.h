// What can happen to the cells of a NOR part at rest.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "firmware/volume/nor/media_format.h"
#include "firmware/volume/volume_config.h"
#include "tests/fixtures/emulated_flash.h"
#include "tests/powerloss/damage_kind.h"
#include "tests/powerloss/dice.h"

namespace ftlab::tests {

/// A stretch of bytes in a segment.
struct NorPlace {
  std::uint32_t segment = 0;
  std::uint32_t from = 0;
  std::uint32_t to = 0;
};

inline NorPlace some_header(const FlashGeometry& g, const VolumeShape& v, Dice& dice) {
  const std::uint32_t slots = usable_slots(g, v.page_bytes, v.data_checksum);
  return {dice.between(1, g.segments - 1), 0, nor::kEntriesOffset + nor::entry_bytes(v.data_checksum) * slots};
}
inline NorPlace some_data(const FlashGeometry& g, const VolumeShape& v, Dice& dice) {
  return {dice.between(1, g.segments - 1),
          g.segment_bytes - v.page_bytes * usable_slots(g, v.page_bytes, v.data_checksum), g.segment_bytes};
}
inline NorPlace some_segment(const FlashGeometry& g, Dice& dice) {
  return {dice.between(1, g.segments - 1), 0, g.segment_bytes};
}
inline NorPlace fixed_segment(const FlashGeometry& g) { return {nor::kFixedSegment, 0, g.segment_bytes}; }

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
inline void fill_all_headers(EmulatedFlash& flash, const VolumeShape& v, int value, Dice& dice) {
  for (std::uint32_t id = 1; id < flash.geometry().segments; ++id) {
    NorPlace header = some_header(flash.geometry(), v, dice);
    header.segment = id;
    fill_with(flash, header, value);
  }
}

/// Changes every erase header, and the superblock, and seals them again: a whole volume of another kind.
template <class Change>
void change_all_records(EmulatedFlash& flash, Change&& change) {
  for (std::uint32_t id = 0; id < flash.geometry().segments; ++id) {
    const auto rewrite = [&]<class Record>(Record record) {
      std::memcpy(static_cast<void*>(&record), flash.bytes(id), sizeof record);
      if (!nor::intact(record)) return;  // erased, or of a segment that is being renewed
      change(record);
      nor::seal(record);
      std::memcpy(flash.bytes(id), &record, sizeof record);
    };
    if (id == nor::kFixedSegment)
      rewrite(nor::Superblock{});
    else
      rewrite(nor::EraseHeader{});
  }
}

using NorDamage = Damage<EmulatedFlash>;
inline constexpr NorDamage kNorDamages[] = {
    {"a bit of a header flipped",
     [](EmulatedFlash& f, const VolumeShape& v, Dice& d) { flip_a_bit(f, some_header(f.geometry(), v, d), d); }},
    {"a bit of the data flipped",
     [](EmulatedFlash& f, const VolumeShape& v, Dice& d) { flip_a_bit(f, some_data(f.geometry(), v, d), d); },
     KnownBy::data_checksum},
    {"a bit of the fixed segment flipped",
     [](EmulatedFlash& f, const VolumeShape&, Dice& d) { flip_a_bit(f, fixed_segment(f.geometry()), d); }},
    {"a header zeroed",
     [](EmulatedFlash& f, const VolumeShape& v, Dice& d) { fill_with(f, some_header(f.geometry(), v, d), 0); }},
    {"a header erased",
     [](EmulatedFlash& f, const VolumeShape& v, Dice& d) { fill_with(f, some_header(f.geometry(), v, d), 0xFF); },
     KnownBy::nobody},
    {"a header full of noise",
     [](EmulatedFlash& f, const VolumeShape& v, Dice& d) { fill_with_noise(f, some_header(f.geometry(), v, d), d); }},
    {"all headers zeroed", [](EmulatedFlash& f, const VolumeShape& v, Dice& d) { fill_all_headers(f, v, 0, d); }},
    {"all headers erased", [](EmulatedFlash& f, const VolumeShape& v, Dice& d) { fill_all_headers(f, v, 0xFF, d); }},
    {"a segment zeroed",
     [](EmulatedFlash& f, const VolumeShape&, Dice& d) { fill_with(f, some_segment(f.geometry(), d), 0); }},
    {"a segment erased",
     [](EmulatedFlash& f, const VolumeShape&, Dice& d) { fill_with(f, some_segment(f.geometry(), d), 0xFF); },
     KnownBy::nobody},
    {"a segment full of noise",
     [](EmulatedFlash& f, const VolumeShape&, Dice& d) { fill_with_noise(f, some_segment(f.geometry(), d), d); }},
    {"the fixed segment zeroed",
     [](EmulatedFlash& f, const VolumeShape&, Dice&) { fill_with(f, fixed_segment(f.geometry()), 0); }},
    {"the fixed segment erased",
     [](EmulatedFlash& f, const VolumeShape&, Dice&) { fill_with(f, fixed_segment(f.geometry()), 0xFF); }},
    {"a volume of the version before",
     [](EmulatedFlash& f, const VolumeShape&, Dice&) {
       change_all_records(f, [](auto& record) { record.version = nor::kFormatVersion - 1; });
     },
     KnownBy::metadata, Mounts::never},
    {"a volume of another geometry",
     [](EmulatedFlash& f, const VolumeShape&, Dice& d) {
       const bool pages = d.chance(500);
       change_all_records(f, [&](auto& record) {
         if (pages)
           record.page_bytes = record.page_bytes * 2;
         else
           record.logical_pages = record.logical_pages + 1;
       });
     },
     KnownBy::metadata, Mounts::never},
};

}  // namespace ftlab::tests
