#include "firmware/driver/paged/waiting_units.h"

#include <algorithm>

namespace ftlab::paged {

void WaitingUnits::layout(Arena& arena, const FlashGeometry& geometry, std::uint32_t units,
                          std::uint32_t beside_bytes) {
  at_once_ = geometry.pages_at_once;
  per_die_ = units;
  units_ = arena.take<WaitingUnit>(std::size_t{geometry.dies} * units);
  for (std::uint32_t i = 0; i < geometry.dies * units; ++i) {
    const auto pages = arena.take<WaitingUnit::Page>(at_once_);
    const auto metadata = arena.take<FlashMetadata>(at_once_);
    const auto data = arena.take<std::byte>(std::size_t{at_once_} * geometry.page_bytes);
    const auto beside = arena.take<std::byte>(beside_bytes);
    if (units_.empty()) continue;
    units_[i].pages = pages;
    units_[i].metadata = metadata;
    units_[i].data = data;
    units_[i].beside = beside;
  }
}

WaitingUnit* WaitingUnits::find(std::uint32_t die, std::uint32_t page) {
  const std::uint32_t first = page & ~(at_once_ - 1);
  const std::span<WaitingUnit> units = of(die);
  const auto found = std::ranges::find(units, first, &WaitingUnit::first);
  return found == units.end() ? nullptr : &*found;
}

bool WaitingUnits::any_in(std::uint32_t die, std::uint32_t first_page, std::uint32_t end_page) const {
  return std::ranges::any_of(of(die),
                             [=](const WaitingUnit& u) { return u.first >= first_page && u.first < end_page; });
}

WaitingUnit* WaitingUnits::next_for(std::uint32_t die, std::uint32_t page, const FlashMetadata& metadata) {
  const std::uint32_t place = page & (at_once_ - 1);
  WaitingUnit* unit = find(die, page);
  if (unit == nullptr && place == 0) {
    const std::span<WaitingUnit> units = of(die);
    const auto unused = std::ranges::find(units, FlashOp::kNoPage, &WaitingUnit::first);
    if (unused == units.end()) return nullptr;
    unit = &*unused;
    unit->count = 0;
    unit->lost = 0;
    unit->fails = false;
  }
  if (unit == nullptr || place != unit->count) return nullptr;
  const auto goes = [&](const FlashMetadata& other) { return go_together(other, metadata); };
  if (!go_together(metadata, metadata) || !std::ranges::all_of(unit->metadata.first(place), goes)) return nullptr;
  unit->first = page - place;
  return unit;
}

}  // namespace ftlab::paged
