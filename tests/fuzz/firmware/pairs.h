// How an input becomes a layer on a tiny part: the part, the configuration drawn from the input, and the oracle that
// fits. FlexFS and the page-mapped layer draw in a way of their own. Knows nothing
// of requests or damage.
//
// Parts are as small as the formats allow, so that an input reaches cleaning within a few requests.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <type_traits>

#include "firmware/ftl/flexfs/decide/victims.h"
#include "tests/fixtures/emulated_flash.h"
#include "tests/fixtures/emulated_nand.h"
#include "tests/fuzz/support/input.h"
#include "tests/powerloss/all_layers.h"

namespace ftlab::fuzz {

inline constexpr std::uint32_t kSegments = 12;

/// The whole of it three times out of four, where trouble is; else any share.
inline std::uint32_t draw_pages(Input& in, std::uint32_t most) {
  const std::uint8_t wish = in.byte();
  return wish < 192 ? most : most * (wish - 191U) / 64;
}

/// The bytes of an input as choices.
class InputChoices {
 public:
  explicit InputChoices(Input& in) : in_(in) {}
  std::uint32_t between(std::uint32_t from, std::uint32_t to) { return in_.between(from, to); }
  std::uint32_t below(std::uint32_t n) { return in_.below(n); }
  bool chance(std::uint32_t per_thousand) { return in_.byte() * 1000U / 256 < per_thousand; }
  template <class Range>
  const auto& one_of(const Range& range) {
    return range[below(static_cast<std::uint32_t>(std::size(range)))];
  }

 private:
  Input& in_;
};

/// With 128-byte pages 13 in a segment.
inline tests::EmulatedFlashOptions tiny_nor() {
  tests::EmulatedFlashOptions options;
  options.geometry = {.segments = kSegments,
                      .segment_bytes = 2048,
                      .program_unit_bytes = 2,
                      .parallel_units = 1,
                      .rated_erase_cycles = 1000};
  return options;
}

inline tests::EmulatedNandOptions tiny_nand() {
  tests::EmulatedNandOptions options;
  options.segments = kSegments;
  options.pages = 8;
  options.page_bytes = 256;
  return options;
}

template <class Tested>
struct Pair {
  using Layer = typename Tested::Firm::Layer;
  using Config = typename Tested::Config;
  using Flash = typename Tested::Flash;
  static constexpr bool kNor = std::is_same_v<Flash, tests::EmulatedFlash>;
  static constexpr tests::OracleRules kRules = Tested::kRules;

  static auto part() {
    if constexpr (kNor)
      return tiny_nor();
    else
      return tiny_nand();
  }
  static Config draw(Input& in, const PartGeometry& geometry) {
    InputChoices choices(in);
    Config config = Tested::Firm::draw(choices);
    config.page_bytes = kNor ? 128 : geometry.program_unit_bytes;
    config.data_checksum = kNor && choices.chance(250);
    Flash flash(part());
    config.logical_pages = draw_pages(in, Tested::Firm::max_logical_pages(config, flash));
    if constexpr (requires { Tested::Firm::round_up(config, geometry); }) Tested::Firm::round_up(config, geometry);
    return config;
  }
  /// As of tests::Exposure.
  static auto pages_at(const Flash& flash, const Config& config, SegmentId segment, std::uint32_t offset,
                       std::uint32_t length) requires requires {
    Tested::pages_at(flash, config, segment, offset, length);
  }
  { return Tested::pages_at(flash, config, segment, offset, length); }
};

template <>
struct Pair<tests::FlexFsOnNand> {
  using Layer = tests::FlexFsLayer;
  using Config = tests::FlexFsOnPart;
  using Flash = tests::EmulatedNand;
  static constexpr tests::OracleRules kRules = tests::FlexFsOnNand::kRules;

  /// Checkpoints and notes take some of it.
  static tests::EmulatedNandOptions part() {
    auto options = tiny_nand();
    options.segments += 6;
    return options;
  }
  static Config draw(Input& in, const PartGeometry&) {
    Config config;
    const auto any_of = [&in](auto table) { return table[in.below(static_cast<std::uint32_t>(table.size()))].name; };
    flexfs::apply_scheme(any_of(flexfs::schemes()), config);
    config.migration_victim = any_of(flexfs::migration_victims());
    config.free_choice = any_of(flexfs::free_choices());
    const std::uint8_t flags = in.byte();
    config.wear_management = (flags & 1) != 0;
    config.level_gap = (flags >> 1) & 3U;
    config.compulsory_free = 3U + ((flags >> 3) & 3U);
    config.cleaning_free = 3U + ((flags >> 5) & 3U);
    config.idle_beyond_wait = (flags & 128) != 0;
    config.cleaning_idle_free = in.below(16);
    config.cleaning_idle_invalid = in.between(1, 8);
    config.window_pages = in.between(1, 64);
    config.hot_files = in.between(1, 4);
    config.cold_files = in.between(1, 8);
    config.extent_pages = in.between(1, 8);
    config.forget_after_pages = in.byte();
    config.wait_ns = in.word() * 1'000'000ULL;
    config.lifetime_ns = 1'000'000'000'000;
    config.wear_window_ns = 10'000'000'000;
    if (in.one_in(4)) {
      config.energy = {.slc_program_nj = 5, .mlc_program_nj = 20, .read_nj = 1, .erase_nj = 100};
      config.energy_budget_uj_per_mib = in.word();
    }
    if (in.one_in(4)) config.data_segments = in.below(kSegments);
    if (in.one_in(2)) config.checkpoint_every = in.between(1, 40);
    if (in.one_in(4)) config.refresh.reads = 40;
    config.logical_pages = draw_pages(in, flexfs::max_logical_pages(config, tests::flexfs_geometry(part())));
    return config;
  }
};

}  // namespace ftlab::fuzz
