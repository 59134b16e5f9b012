// The page-mapped layer on an array of several dies that end their operations in any order, for the kit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "firmware/volume/format/page_metadata.h"
#include "tests/fixtures/emulated_array.h"
#include "tests/fixtures/mount_session.h"
#include "tests/powerloss/layers/page.h"

namespace ftlab::tests {

inline paged::DecodedTag tag_of(const EmulatedArray& array, const PlaceOfPage& at) {
  const FlashMetadata& metadata = array.metadata_of(at.segment * array.geometry().pages_per_segment + at.page);
  const bool known = volume::is_known(metadata);
  return {.blank = !known, .intact = known, .metadata = metadata};
}

/// All pages of a program unit.
inline void damage_unit(EmulatedArray& array, const PlaceOfPage& at, bool blank) {
  const FlashGeometry& g = array.geometry();
  const std::uint32_t first = at.segment * g.pages_per_segment + at.page / g.pages_at_once * g.pages_at_once;
  for (std::uint32_t page = first; page < first + g.pages_at_once; ++page)
    blank ? array.blank_page(page) : array.lose_page(page);
}

inline void damage_named_page(EmulatedArray& array, const VolumeShape& shape, Dice& dice, bool blank) {
  const FlashGeometry& g = array.geometry();
  const auto place = some_named_page({g.segments, g.pages_per_segment, g.pages_at_once}, shape, dice, blank,
                                     [&](const PlaceOfPage& at) { return tag_of(array, at); });
  if (place) damage_unit(array, *place, blank);
}

inline void damage_page(EmulatedArray& array, Dice& dice, bool blank) {
  const FlashGeometry& g = array.geometry();
  for (int attempt = 0; attempt < 1000; ++attempt) {
    const PlaceOfPage at{dice.below(g.segments), dice.below(g.pages_per_segment)};
    if (tag_of(array, at).intact) return damage_unit(array, at, blank);
  }
}

inline constexpr Damage<EmulatedArray> kPageArrayDamages[] = {
    {"a page unreadable that the next one names",
     [](EmulatedArray& f, const VolumeShape& v, Dice& d) { damage_named_page(f, v, d, false); }},
    {"a page blank that the next one names",
     [](EmulatedArray& f, const VolumeShape& v, Dice& d) { damage_named_page(f, v, d, true); }},
    {"a page unreadable", [](EmulatedArray& f, const VolumeShape&, Dice& d) { damage_page(f, d, false); },
     KnownBy::checkpoint},
    {"a page blank", [](EmulatedArray& f, const VolumeShape&, Dice& d) { damage_page(f, d, true); },
     KnownBy::checkpoint},
};

struct PageOnArray {
  using Config = PagedConfig;
  using Flash = EmulatedArray;
  using Session = MountSession<PageFtl, PagedConfig>;
  static constexpr const char* kName = "page-array";
  static constexpr const auto& kDamages = kPageArrayDamages;
  static constexpr OracleRules kRules{};
  static constexpr bool kMountMovesRecovered = false;
  static constexpr Overlap overlap(const Flash&) { return Overlap::of_a_page; }

  struct Setup {
    EmulatedArrayOptions part;
    std::uint32_t bad_segments = 0;
    Config config;
    std::string policies;  ///< in words, where they are not the layer's own
  };

  static const char* check(const Setup& s) { return volume::check(s.config, s.part.geometry); }

  static Setup draw(Dice& dice, bool fullest) {
    Setup s;
    draw_part(s, dice);
    draw_page_policies(dice, s.config);
    if (s.part.geometry.lsb_every > 0) {
      draw_slc(dice, s.config);
      s.policies = std::to_string(s.config.slc_segments) + " segments as SLC, ";
    } else {
      s.policies = draw_other_policies(dice, s.config);
    }
    s.config.logical_pages = draw_logical_pages(dice, max_pages(s, 0), fullest);
    return s;
  }

  static void prepare(Flash& flash, const Setup& s, Dice& dice) {
    for (std::uint32_t i = 0; i < s.bad_segments; ++i) flash.mark_bad(dice.below(s.part.geometry.segments));
  }
  static bool may_be_read_only(const Setup& s, std::uint32_t failed) {
    return max_pages(s, failed + 2) < s.config.logical_pages;
  }
  static std::uint32_t segments_of_checkpoint(const Setup& s) {
    const FlashGeometry& g = s.part.geometry;
    const std::uint32_t pages = volume::with_own_pages(s.config, g).logical_pages;
    const bool histories = s.config.policies != nullptr;
    return volume::CheckpointLayout{pages, g.segments, g.page_bytes, g.pages_per_segment, histories}.segments_needed();
  }
  static bool has_data_checksum(const Setup&) { return false; }

  static std::string describe(const Setup& s) {
    using std::to_string;
    const FlashGeometry& g = s.part.geometry;
    return s.policies + tests::describe(static_cast<const VolumeConfig&>(s.config)) + ", array of " +
           to_string(g.dies) + " dies, " + to_string(g.segments) + " x " + to_string(g.pages_per_segment) +
           " pages of " + to_string(g.page_bytes) + " by " + to_string(g.pages_at_once) + " wordlines of " +
           to_string(s.part.units_of_wordline) + " lsb " + to_string(g.lsb_every) + " buffers " + to_string(g.buffers) +
           " refresh " + to_string(g.refresh_reads) + " bad " + to_string(s.bad_segments) +
           (g.keeps_erased ? " keeps erased" : "") + " write buffer " + to_string(s.config.write_buffer);
  }

 private:
  static void draw_part(Setup& s, Dice& dice) {
    FlashGeometry& g = s.part.geometry;
    s.part.seed = dice.between(1, 1'000'000);
    s.part.units_of_wordline = dice.between(1, 3);
    g.dies = dice.chance(100) ? 8 : dice.between(1, 3);
    g.segments = dice.between(8, g.dies > 3 ? 10 : 16) * g.dies;
    // Shares of a page, or a wordline in one shot with those of several planes.
    constexpr std::uint32_t kUnits[] = {2, 4, 3, 6};
    g.pages_at_once = dice.chance(600) ? 1 : kUnits[dice.below(4)];
    if (dice.chance(250) && g.pages_at_once % 3 != 0) g.lsb_every = dice.between(2, 3);
    const std::uint32_t units = g.lsb_every > 0 ? 12 : dice.chance(100) ? 1 : 4 + 2 * dice.below(3);
    g.pages_per_segment = units * g.pages_at_once;
    g.page_bytes = 256U << dice.below(2);
    g.rated_erase_cycles = 1000;
    g.buffers = dice.between(std::max(4U, 2 * g.pages_at_once), 64);
    if (dice.chance(300)) g.refresh_reads = dice.between(5, 200);
    g.keeps_erased = dice.chance(200);
    s.bad_segments = dice.chance(250) ? dice.between(1, 2) : 0;
  }
  static std::uint32_t max_pages(const Setup& s, std::uint32_t failed) {
    return max_page_ftl_pages(s.config, s.part.geometry, s.bad_segments + failed);
  }
};

/// The same, answering writes before they are programmed.
struct PageBufferedOnArray : PageOnArray {
  static constexpr const char* kName = "page-array-buffered";
  static constexpr OracleRules kRules{.parts_need_flush = true, .writes_need_flush = true};

  static Setup draw(Dice& dice, bool fullest) {
    Setup s = PageOnArray::draw(dice, fullest);
    s.config.write_buffer = dice.between(1, s.part.geometry.buffers - 1);
    constexpr std::uint64_t kIdle[] = {0, 1, 1'000'000};
    s.config.write_buffer_idle_ns = kIdle[dice.below(3)];
    return s;
  }
};

/// The same on a drive whose capacitors hold it up until that is written.
struct PageProtectedOnArray : PageBufferedOnArray {
  static constexpr const char* kName = "page-array-protected";
  static constexpr bool kHoldsUp = true;

  static Setup draw(Dice& dice, bool fullest) {
    Setup s = PageBufferedOnArray::draw(dice, fullest);
    s.part.geometry.holds_up = true;
    return s;
  }
};

}  // namespace ftlab::tests
