// The tables, one line each, and the walks over the segments.
#include "firmware/ftl/flexfs/decide/victims.h"

#include <algorithm>

namespace ftlab::flexfs {
namespace {

bool is_older(const SegmentFacts& a, const SegmentFacts& b) { return a.opened < b.opened; }

bool is_emptier(const SegmentFacts& a, const SegmentFacts& b) {
  return a.valid != b.valid ? a.valid < b.valid : is_older(a, b);
}

bool is_full_in(const SegmentFacts& segment, Region region) { return segment.full && segment.region == region; }

constexpr MigrationVictim kMigrationVictims[] = {
    {"oldest", "the segment that was opened first", is_older},
    {"fewest_valid", "the segment with the fewest valid pages", is_emptier},
};

constexpr FreeChoice kFreeChoices[] = {
    {"fewest_erases", "wear leveling: the least erased one, of these the one free for longest"},
    {"fifo", "no wear leveling: the one free for longest"},
};

constexpr Q16 kMiddle = kOne / 2;

}  // namespace

std::span<const MigrationVictim> migration_victims() { return kMigrationVictims; }
std::span<const FreeChoice> free_choices() { return kFreeChoices; }

std::optional<std::uint32_t> pick_migration(const VictimView& view, const MigrationVictim& order, bool pressed) {
  // Ordinary choice first; hotness, which looks at every page, is asked of candidates that would win.
  std::optional<std::uint32_t> best;
  std::optional<std::uint32_t> mildest;
  Q16 mildest_hotness = kOne;
  std::uint32_t compared = 0;
  for (std::uint32_t id = 0; id < view.segments.size(); ++id) {
    const SegmentFacts& segment = view.segments[id];
    if (!is_full_in(segment, Region::slc)) continue;
    if (segment.valid == 0) return id;
    ++compared;
    if (best && !order.before(segment, view.segments[*best])) continue;
    if (view.hot != nullptr) {
      const Q16 heat = view.hot->hotness(id);
      if (heat >= kMiddle) {
        if (!mildest || heat < mildest_hotness) {
          mildest = id;
          mildest_hotness = heat;
        }
        continue;
      }
    }
    best = id;
  }
  view.probe.count(Work::segment_compare, compared);
  return best || !pressed ? best : mildest;
}

std::optional<std::uint32_t> pick_cleaning(const VictimView& view, Region region, std::uint32_t slots,
                                           std::uint32_t least) {
  std::optional<std::uint32_t> best;
  std::uint32_t fewest = slots + 1 - least;
  std::uint32_t compared = 0;
  for (std::uint32_t id = 0; id < view.segments.size(); ++id) {
    const SegmentFacts& segment = view.segments[id];
    if (!is_full_in(segment, region)) continue;
    ++compared;
    if (segment.valid >= fewest) continue;
    fewest = segment.valid;
    best = id;
  }
  view.probe.count(Work::segment_compare, compared);
  return best;
}

std::optional<std::uint32_t> pick_leveling(const VictimView& view, Region region, std::uint32_t gap) {
  std::optional<std::uint32_t> least;
  std::uint32_t most = 0;
  for (std::uint32_t id = 0; id < view.segments.size(); ++id) {
    const SegmentFacts& segment = view.segments[id];
    if (!segment.in_use) continue;
    most = std::max(most, segment.erases);
    if (!is_full_in(segment, region)) continue;
    if (!least || segment.erases < view.segments[*least].erases) least = id;
  }
  view.probe.count(Work::segment_compare, static_cast<std::uint32_t>(view.segments.size()));
  return least && most - view.segments[*least].erases >= gap ? least : std::nullopt;
}

std::string_view migration_victim_name(std::size_t i) {
  return i < migration_victims().size() ? migration_victims()[i].name : std::string_view{};
}

std::string_view free_choice_name(std::size_t i) {
  return i < free_choices().size() ? free_choices()[i].name : std::string_view{};
}

}  // namespace ftlab::flexfs
