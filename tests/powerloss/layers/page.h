// The page-mapped layer of arrays, for the kit: on emulated NOR and NAND parts that PagedFlash serves as arrays.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "firmware/policy/policies.h"
#include "tests/fixtures/mount_session.h"
#include "tests/fixtures/paged_layer.h"
#include "tests/fixtures/policies_on_dies.h"
#include "tests/fixtures/pool_arithmetic.h"
#include "tests/fixtures/requests_in_flight.h"
#include "tests/powerloss/layers/nand_damage.h"
#include "tests/powerloss/layers/nand_part.h"
#include "tests/powerloss/layers/nor_damage.h"

namespace ftlab::tests {

/// All that a user decides but the size. `choices`: dice, or the bytes of an input.
template <class Choices>
void draw_page_policies(Choices& choices, PagedConfig& config) {
  const auto one_of = [&](const auto& entries) {
    return entries[choices.below(static_cast<std::uint32_t>(entries.size()))].name;
  };
  config.selection = one_of(fms::selections());
  if (fms::selections().find(config.selection)->partitioned) config.selection = "greedy";
  if (choices.chance(500)) config.frontiers = VolumeConfig::Frontiers::host_and_cleaning;
  if (choices.chance(300)) config.die_choice = VolumeConfig::DieChoice::in_turn;
  if (choices.chance(500)) config.separation = one_of(fms::separations());
  config.pool_choice = one_of(fms::pool_choices());
  if (!fms::selections().find(config.selection)->listed.exists()) config.pool_choice = "together";
  config.arithmetic = some_pool_arithmetic();
  config.low_water = choices.below(choices.chance(200) ? 24 : 5);
  config.params.set("candidates", choices.between(1, 4));
  config.params.set("window", 300'000);
  config.params.set("recency_memory", choices.between(1, 50));
  config.checkpoint_every = choices.chance(500) ? choices.between(1, 60) : 0;
  config.seed = choices.between(1, 1000);
  config.take_own_policies();
}

/// Sometimes those of firmware/policy in place of the layer's own; what they are.
template <class Choices>
std::string draw_other_policies(Choices& choices, PagedConfig& config) {
  if (!choices.chance(400)) return "";
  FmsConfig fms = draw_policies_on_dies([&](std::uint32_t below) { return choices.below(below); });
  if (choices.chance(200)) fms.high_water += choices.below(16);
  if (choices.chance(200)) fms.low_water = fms.high_water;
  config.take_policies(fms);
  return "policies " + policies_text(fms) + ", ";
}

/// Some segments are filled as SLC, and what goes with that.
template <class Choices>
void draw_slc(Choices& choices, PagedConfig& config) {
  config.frontiers = VolumeConfig::Frontiers::host_and_cleaning;
  config.separation = "none";
  if (config.choice != nullptr) config.selection = "greedy";
  config.take_own_policies();
  config.slc_segments = choices.between(1, 4);
  config.slc_idle_ns = choices.chance(500) ? 0 : 1'000'000'000;
  config.part.slc = true;
}

inline std::string describe(const VolumeConfig& c) {
  return "pages " + std::to_string(c.logical_pages) + " " + std::string(c.selection) + "/" + std::string(c.separation) +
         "/" + std::string(c.pool_choice) + " water " + std::to_string(c.low_water) +
         (c.frontiers == VolumeConfig::Frontiers::one ? "" : " two frontiers") +
         (c.die_choice == VolumeConfig::DieChoice::in_turn ? " in turn" : "") +
         (c.checkpoint_every > 0 ? " checkpoint " + std::to_string(c.checkpoint_every) : "");
}

/// With so many segments bad; 0: too few are left.
inline std::uint32_t max_page_ftl_pages(const VolumeConfig& config, const FlashGeometry& geometry, std::uint32_t bad) {
  const std::uint64_t most = volume::max_logical_pages(config, geometry);
  const std::uint64_t lost = std::uint64_t{bad} * geometry.pages_per_segment;
  FlashGeometry least = geometry;
  least.unused_per_die += bad;
  if (least.unused_per_die >= geometry.segments_per_die() || volume::max_logical_pages(config, least) == 0) return 0;
  return most > lost ? static_cast<std::uint32_t>(most - lost) : 0;
}

/// Of a NOR or NAND part of the kit.
template <class Part>
struct PageOn {
  using Config = PagedConfig;
  using Flash = typename Part::Flash;
  using Layer = PagedLayer;
  using Session = MountSession<PagedLayer, PagedConfig>;
  static constexpr OracleRules kRules{};
  static constexpr bool kMountMovesRecovered = Part::kRecovers;
  static constexpr Overlap overlap(const Flash&) { return Overlap::of_a_page; }

  struct Setup {
    decltype(Part::Setup::part) part;
    typename Part::Drawn drawn;
    Config config;
    std::string policies;  ///< in words, where they are not the layer's own
  };

  static FlashGeometry geometry_of(const Setup& s) {
    Flash flash(s.part);
    return tests::geometry_of(flash, s.config);
  }
  static const char* check(const Setup& s) {
    Flash flash(s.part);
    if (const char* reason = PagedFlash::check(flash, s.config.part)) return reason;
    return volume::check(s.config, geometry_of(s));
  }

  static Setup draw(Dice& dice, bool fullest) {
    Setup s = draw_part(dice);
    draw_page_policies(dice, s.config);
    s.policies = draw_other_policies(dice, s.config);
    draw_size(s, dice, fullest);
    return s;
  }
  /// All but what the layer decides.
  static Setup draw_part(Dice& dice) {
    Setup s;
    Part::draw(dice, s);
    s.config.part.buffers = dice.between(4, 40);
    if (dice.chance(300)) s.config.part.refresh.reads = dice.between(5, 200);
    return s;
  }
  static void draw_size(Setup& s, Dice& dice, bool fullest) {
    s.config.logical_pages = draw_logical_pages(dice, max_pages(s, 0), fullest);
  }

  static void prepare(Flash& flash, const Setup& s, Dice& dice) { Part::prepare(flash, s, dice); }

  static bool may_be_read_only(const Setup& s, std::uint32_t failed) {
    return max_pages(s, failed + 2) < s.config.logical_pages;
  }
  static std::uint32_t segments_of_checkpoint(const Setup& s) {
    const FlashGeometry g = geometry_of(s);
    const std::uint32_t pages = volume::with_own_pages(s.config, g).logical_pages;
    const bool histories = s.config.policies != nullptr;
    return volume::CheckpointLayout{pages, g.segments, g.page_bytes, g.pages_per_segment, histories}.segments_needed();
  }
  static bool has_data_checksum(const Setup& s) { return s.config.part.data_checksum; }
  static std::uint32_t segment_units(const Setup& s) { return s.config.part.segment_units; }

  static std::string describe(const Setup& s) {
    return s.policies + tests::describe(static_cast<const VolumeConfig&>(s.config)) + " buffers " +
           std::to_string(s.config.part.buffers) + " refresh " + std::to_string(s.config.part.refresh.reads) +
           (s.config.part.data_checksum ? " checksums, " : ", ") + Part::describe(s);
  }

 private:
  static std::uint32_t max_pages(const Setup& s, std::uint32_t failed) {
    return max_page_ftl_pages(s.config, geometry_of(s), Part::bad_segments(s) + failed);
  }
};

struct PageNorPart {
  static constexpr bool kRecovers = false;
  using Flash = EmulatedFlash;
  struct Setup {
    EmulatedFlashOptions part;
  };
  struct Drawn {};
  static void draw(Dice& dice, auto& s) {
    PartGeometry& g = s.part.geometry;
    s.config.part.page_bytes = 64U << dice.below(3);
    s.config.part.data_checksum = dice.chance(300);
    g.parallel_units = dice.chance(400) ? 2 : 1;
    g.segments = dice.between(8, 24) * g.parallel_units;
    g.segment_bytes = 1024U << dice.below(2);
    g.program_unit_bytes = dice.between(1, 2);
    g.rated_erase_cycles = 1000;
    s.part.capabilities.background_erase = dice.chance(700);
    s.part.capabilities.queue_depth = dice.between(2, 8);
    s.part.erase_delay = dice.between(1, 12);
  }
  static void prepare(Flash&, const auto&, Dice&) {}
  static std::uint32_t bad_segments(const auto&) { return 0; }
  static std::string describe(const auto& s) {
    const PartGeometry& g = s.part.geometry;
    return "NOR " + std::to_string(g.segments) + " x " + std::to_string(g.segment_bytes) + " pages of " +
           std::to_string(s.config.part.page_bytes) + " units " + std::to_string(g.parallel_units) +
           (s.config.part.segment_units > 1 ? " segments of " + std::to_string(s.config.part.segment_units) : "");
  }
};

struct PageNandPart {
  static constexpr bool kRecovers = true;
  using Flash = EmulatedNand;
  struct Setup {
    EmulatedNandOptions part;
  };
  using Drawn = DrawnNand;
  static void draw(Dice& dice, auto& s) {
    s.drawn = draw_nand(dice);
    s.part = s.drawn.part;
    s.part.segments += 4 * s.part.parallel_units;
    s.config.part.page_bytes = s.part.page_bytes;
    if (dice.chance(400)) {
      // Several pages in a page of the part, as many as its spare bytes have room for.
      const std::uint32_t at_once = 2U << dice.below(3);
      s.config.part.page_bytes /= at_once;
      s.part.spare_bytes = 16 * at_once;
    }
    s.drawn.part = s.part;
  }
  static void prepare(Flash& flash, const auto& s, Dice& dice) { mark_bad_segments(flash, s.drawn, dice); }
  static std::uint32_t bad_segments(const auto& s) { return s.drawn.bad_segments; }
  static std::string describe(const auto& s) {
    return tests::describe(s.drawn) + " pages of " + std::to_string(s.config.part.page_bytes);
  }
};

struct PlaceOfPage {
  std::uint32_t segment = 0;
  std::uint32_t page = 0;
};

/// A page of the host that the same place of the program unit behind it names, from the `first` of a segment on; blank
/// ones between, which a segment filled as SLC leaves out, do not count. `at`: the tag of a page.
template <class TagOf>
std::optional<PlaceOfPage> some_named_page(std::uint32_t segments, std::uint32_t pages, std::uint32_t first,
                                           std::uint32_t at_once, const VolumeShape& shape, Dice& dice, TagOf&& at) {
  if (pages <= at_once + first) return std::nullopt;
  for (int attempt = 0; attempt < 1000; ++attempt) {
    const PlaceOfPage place{dice.below(segments), first + dice.below(pages - at_once - first)};
    const paged::DecodedTag tag = at(place);
    std::uint32_t behind = place.page + at_once;
    while (behind + at_once < pages && at({place.segment, behind}).blank) behind += at_once;
    const paged::DecodedTag next = at({place.segment, behind});
    if (!tag.intact || !next.intact || volume::lpn_of(tag.metadata) >= shape.logical_pages) continue;
    if (volume::before_of(next.metadata) == volume::lpn_of(tag.metadata)) return place;
  }
  return std::nullopt;
}

/// Segments, pages of one, and pages that are programmed at once.
struct PagesOfPart {
  std::uint32_t segments;
  std::uint32_t of_segment;
  std::uint32_t at_once;
};

/// Such a page whose program unit may be damaged, or become blank.
template <class TagOf>
std::optional<PlaceOfPage> some_named_page(const PagesOfPart& pages, const VolumeShape& shape, Dice& dice, bool blank,
                                           TagOf&& tag_of) {
  // Trims come back where the record of them is gone, which damage to another page of its unit must not do.
  const auto apart_from_records = [&](const PlaceOfPage& at) {
    paged::DecodedTag tag = tag_of(at);
    for (std::uint32_t i = 0; i < pages.at_once; ++i) {
      const PlaceOfPage other{at.segment, at.page / pages.at_once * pages.at_once + i};
      const std::uint32_t lpn = volume::lpn_of(tag_of(other).metadata);
      tag.intact = tag.intact && (lpn < shape.logical_pages || lpn == volume::kPaddingLpn);
    }
    return tag;
  };
  // A segment that begins with an erased page looks as if nothing had been written there.
  const std::uint32_t first = blank ? pages.at_once : 0;
  return some_named_page(pages.segments, pages.of_segment, first, pages.at_once, shape, dice, apart_from_records);
}

inline void damage_named_page(EmulatedNand& flash, const VolumeShape& shape, Dice& dice, bool blank) {
  const PartGeometry& g = flash.geometry();
  const std::uint32_t at_once = g.program_unit_bytes / shape.page_bytes;
  const auto tag_of = [&](const PlaceOfPage& at) {
    const auto beside = std::span<const std::byte>(flash.at_rest(at.segment).spare)
                            .subspan(std::size_t{at.page / at_once} * g.spare_bytes, g.spare_bytes);
    return at_once == 1 ? paged::decode(beside) : paged::decode(beside, at_once, at.page % at_once);
  };
  const auto place =
      some_named_page({g.segments, g.segment_bytes / shape.page_bytes, at_once}, shape, dice, blank, tag_of);
  if (!place) return;
  const std::uint32_t unit = place->page / at_once;
  blank ? blank_page(flash, place->segment, unit) : flash.lose_page(place->segment, unit);
}

inline paged::PageLayout layout_of(const EmulatedFlash& flash, const VolumeShape& shape) {
  return {grouped(flash.geometry(), shape.segment_units), shape.page_bytes, {.data_checksum = shape.data_checksum}};
}
/// Of a segment of several erase units all entries lie in the first one.
inline std::span<std::byte> entry_of(EmulatedFlash& flash, const VolumeShape& shape, const PlaceOfPage& at) {
  const paged::PageLayout layout = layout_of(flash, shape);
  return std::span(flash.bytes(at.segment * shape.segment_units), flash.geometry().segment_bytes)
      .subspan(layout.entry_at(at.page), layout.beside_bytes());
}
inline std::optional<PlaceOfPage> some_named_page(EmulatedFlash& flash, const VolumeShape& shape, Dice& dice) {
  return some_named_page(
      flash.geometry().segments / shape.segment_units, layout_of(flash, shape).pages_per_segment(), 0, 1, shape, dice,
      [&](const PlaceOfPage& at) { return paged::decode(entry_of(flash, shape, at), shape.data_checksum); });
}

inline void flip_a_bit_of_the_data(EmulatedFlash& flash, const VolumeShape& shape, Dice& dice) {
  const auto place = some_named_page(flash, shape, dice);
  if (!place) return;
  const std::uint32_t unit_bytes = flash.geometry().segment_bytes;
  const std::uint32_t at = layout_of(flash, shape).data_at(place->page) + dice.below(shape.page_bytes);
  const std::uint32_t unit = place->segment * shape.segment_units + at / unit_bytes;
  flip_a_bit(flash, {unit, at % unit_bytes, at % unit_bytes + 1}, dice);
}

inline void damage_named_entry(EmulatedFlash& flash, const VolumeShape& shape, Dice& dice) {
  const auto place = some_named_page(flash, shape, dice);
  if (!place) return;
  const std::span<std::byte> entry = entry_of(flash, shape, *place);
  const std::uint32_t kind = dice.below(place->page == 0 ? 2 : 3);
  if (kind == 0)
    entry[dice.below(static_cast<std::uint32_t>(entry.size()))] ^= static_cast<std::byte>(1U << dice.below(8));
  if (kind > 0) std::ranges::fill(entry, kind == 1 ? std::byte{0} : std::byte{0xFF});
}

/// Each erase unit of a segment.
template <class Spoil>
void spoil_segment(EmulatedFlash& flash, const VolumeShape& shape, Dice& dice, Spoil spoil) {
  const PartGeometry& g = flash.geometry();
  const std::uint32_t first = dice.below(g.segments / shape.segment_units) * shape.segment_units;
  for (std::uint32_t unit = first; unit < first + shape.segment_units; ++unit)
    spoil(NorPlace{unit, 0, g.segment_bytes});
}

// Who knows what was there: the page behind, or a checkpoint. Without either an older version counts.
inline constexpr Damage<EmulatedFlash> kPageNorDamages[] = {
    {"an entry damaged that the next one names",
     [](EmulatedFlash& f, const VolumeShape& v, Dice& d) { damage_named_entry(f, v, d); }},
    {"a bit of the data flipped",
     [](EmulatedFlash& f, const VolumeShape& v, Dice& d) { flip_a_bit_of_the_data(f, v, d); }, KnownBy::data_checksum},
    {"a segment zeroed",
     [](EmulatedFlash& f, const VolumeShape& v, Dice& d) {
       spoil_segment(f, v, d, [&](const NorPlace& unit) { fill_with(f, unit, 0); });
     },
     KnownBy::checkpoint},
    {"a segment erased",
     [](EmulatedFlash& f, const VolumeShape& v, Dice& d) {
       spoil_segment(f, v, d, [&](const NorPlace& unit) { fill_with(f, unit, 0xFF); });
     },
     KnownBy::checkpoint},
    {"a segment full of noise",
     [](EmulatedFlash& f, const VolumeShape& v, Dice& d) {
       spoil_segment(f, v, d, [&](const NorPlace& unit) { fill_with_noise(f, unit, d); });
     },
     KnownBy::checkpoint},
};

inline constexpr Damage<EmulatedNand> kPageNandDamages[] = {
    {"a page unreadable that the next one names",
     [](EmulatedNand& f, const VolumeShape& v, Dice& d) { damage_named_page(f, v, d, false); }},
    {"a page blank that the next one names",
     [](EmulatedNand& f, const VolumeShape& v, Dice& d) { damage_named_page(f, v, d, true); }},
    {"a page unreadable", [](EmulatedNand& f, const VolumeShape&, Dice& d) { damage_page(f, d, false); },
     KnownBy::checkpoint},
    {"a page blank", [](EmulatedNand& f, const VolumeShape&, Dice& d) { damage_page(f, d, true); },
     KnownBy::checkpoint},
    {"a segment unreadable", [](EmulatedNand& f, const VolumeShape&, Dice& d) { damage_data_segment(f, d, false); },
     KnownBy::checkpoint},
    {"a segment blank", [](EmulatedNand& f, const VolumeShape&, Dice& d) { damage_data_segment(f, d, true); },
     KnownBy::checkpoint},
};

struct PageOnNor : PageOn<PageNorPart> {
  static constexpr const char* kName = "page-nor";
  static constexpr const auto& kDamages = kPageNorDamages;
};

struct PageOnNand : PageOn<PageNandPart> {
  static constexpr const char* kName = "page-nand";
  static constexpr const auto& kDamages = kPageNandDamages;
};

/// Its host's pages fill some segments as SLC.
struct PageWithSlcOnNand : PageOn<PageNandPart> {
  static constexpr const char* kName = "page-slc-nand";
  static constexpr const auto& kDamages = kPageNandDamages;

  static Setup draw(Dice& dice, bool fullest) {
    Setup s = draw_part(dice);
    draw_page_policies(dice, s.config);
    draw_slc(dice, s.config);
    s.policies = std::to_string(s.config.slc_segments) + " segments as SLC, ";
    draw_size(s, dice, fullest);
    return s;
  }
};

}  // namespace ftlab::tests
