// The FMS on NOR and NAND parts, for the kit: its policies always decide on the page-mapped layer's log.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "tests/powerloss/layers/page.h"

namespace ftlab::tests {

/// All that a user decides but the size. `choices`: dice, or the bytes of an input. What they are, in words.
template <class Choices>
std::string draw_fms(Choices& choices, PagedConfig& config) {
  FmsConfig fms = draw_policies_on_dies([&](std::uint32_t below) { return choices.below(below); });
  if (choices.chance(200)) fms.high_water += choices.below(16);
  if (choices.chance(200)) fms.low_water = fms.high_water;
  if (choices.chance(200)) fms.low_water = 1;
  config.take_policies(fms);
  config.checkpoint_every = choices.chance(500) ? choices.between(1, 60) : 0;
  config.part.fixed_segments = 1;
  config.seed = fms.seed;
  return "policies " + policies_text(fms) + ", ";
}

template <class Page>
struct FmsOn : Page {
  using typename Page::Setup;

  static Setup draw(Dice& dice, bool fullest) {
    Setup s = Page::draw_part(dice);
    s.policies = draw_fms(dice, s.config);
    Page::draw_size(s, dice, fullest);
    return s;
  }
};

struct FmsOnNor : FmsOn<PageOnNor> {
  static constexpr const char* kName = "fms-nor";

  /// Sometimes the same segments of several erase units.
  static Setup draw(Dice& dice, bool fullest) {
    Setup s = FmsOn::draw(dice, fullest);
    if (!dice.chance(300)) return s;
    Setup divided = s;
    divided.config.part.segment_units = 2U << dice.below(2);
    divided.part.geometry.segments *= divided.config.part.segment_units;
    divided.part.geometry.segment_bytes /= divided.config.part.segment_units;
    return check(divided) == nullptr ? divided : s;
  }
};

struct FmsOnNand : FmsOn<PageOnNand> {
  static constexpr const char* kName = "fms-nand";
};

}  // namespace ftlab::tests
