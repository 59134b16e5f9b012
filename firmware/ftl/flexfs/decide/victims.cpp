// The tables, one line each, and the walks over the segments.
#include "firmware/ftl/flexfs/decide/victims.h"

#include <algorithm>

namespace ftlab::flexfs {
namespace {

bool is_older(const SegmentRow& a, const SegmentRow& b) { return a.opened_sequence < b.opened_sequence; }

bool is_emptier(const SegmentRow& a, const SegmentRow& b) {
  return a.valid != b.valid ? a.valid < b.valid : is_older(a, b);
}

bool is_less_erased(const SegmentRow& a, const SegmentRow& b) { return a.erase_count < b.erase_count; }

// The free list is in this order already.
bool never(const SegmentRow&, const SegmentRow&) { return false; }

constexpr MigrationVictim kMigrationVictims[] = {
    {"oldest", "the segment that was opened first", is_older},
    {"fewest_valid", "the segment with the fewest valid pages", is_emptier},
};

constexpr FreeChoice kFreeChoices[] = {
    {"fewest_erases", "wear leveling: the least erased one, of these the one free for longest", is_less_erased},
    {"fifo", "no wear leveling: the one free for longest", never},
};

constexpr Q16 kMiddle = kOne / 2;

}  // namespace

std::span<const MigrationVictim> migration_victims() { return kMigrationVictims; }
std::span<const FreeChoice> free_choices() { return kFreeChoices; }

Q16 hotness(const VictimView& view, std::uint32_t segment) {
  std::uint32_t valid = 0;
  std::uint32_t hot = 0;
  view.segments.for_each_valid(segment, [&](std::uint32_t slot) {
    ++valid;
    const std::uint32_t lpn = view.segments.lpn_at(view.segments.ppn(segment, slot));
    if (view.queues->is_hot(view.files[lpn])) ++hot;
  });
  view.probe.count(Work::page_rate, valid);
  return valid == 0 ? 0 : fraction(hot, valid);
}

std::optional<std::uint32_t> pick_migration(const VictimView& view, const MigrationVictim& order, bool pressed) {
  // Ordinary choice first; hotness, which looks at every page, is asked of candidates that would win.
  std::optional<std::uint32_t> best;
  std::optional<std::uint32_t> mildest;
  Q16 mildest_hotness = kOne;
  std::uint32_t compared = 0;
  for (std::uint32_t id = 0; id < view.segments.segments(); ++id) {
    const SegmentRow& row = view.segments.row(id);
    if (!is_sealed_in(row, Region::slc)) continue;
    if (row.valid == 0) return id;
    ++compared;
    if (best && !order.before(row, view.segments.row(*best))) continue;
    if (view.queues != nullptr) {
      const Q16 heat = hotness(view, id);
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
  for (std::uint32_t id = 0; id < view.segments.segments(); ++id) {
    const SegmentRow& row = view.segments.row(id);
    if (!is_sealed_in(row, region)) continue;
    ++compared;
    if (row.valid >= fewest) continue;
    fewest = row.valid;
    best = id;
  }
  view.probe.count(Work::segment_compare, compared);
  return best;
}

std::optional<std::uint32_t> pick_urgent(const VictimView& view) {
  std::optional<std::uint32_t> found;
  for (std::uint32_t id = 0; id < view.segments.segments(); ++id) {
    const SegmentRow& row = view.segments.row(id);
    if (row.state != SegmentState::sealed || row.unreadable) continue;
    if (row.retired) return id;
    if (row.refresh && !found) found = id;
  }
  return found;
}

std::optional<std::uint32_t> pick_leveling(const VictimView& view, Region region, std::uint32_t gap) {
  std::optional<std::uint32_t> least;
  std::uint32_t most = 0;
  for (std::uint32_t id = 0; id < view.segments.segments(); ++id) {
    const SegmentRow& row = view.segments.row(id);
    if (row.state == SegmentState::fixed || row.state == SegmentState::bad) continue;
    most = std::max(most, row.erase_count);
    if (!is_sealed_in(row, region)) continue;
    if (!least || row.erase_count < view.segments.row(*least).erase_count) least = id;
  }
  view.probe.count(Work::segment_compare, view.segments.segments());
  return least && most - view.segments.row(*least).erase_count >= gap ? least : std::nullopt;
}

std::optional<std::uint32_t> pick_free(const SegmentTable& segments, const FreeChoice& order) {
  std::optional<std::uint32_t> best;
  for (std::uint32_t at = segments.first_free(); at != kNone; at = segments.row(at).next_free)
    if (!best || order.before(segments.row(at), segments.row(*best))) best = at;
  return best;
}

std::string_view migration_victim_name(std::size_t i) {
  return i < migration_victims().size() ? migration_victims()[i].name : std::string_view{};
}

std::string_view free_choice_name(std::size_t i) {
  return i < free_choices().size() ? free_choices()[i].name : std::string_view{};
}

}  // namespace ftlab::flexfs
