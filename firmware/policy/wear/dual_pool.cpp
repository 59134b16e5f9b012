// Dual-pool leveling (L.-P. Chang, SAC 2007): segments belong to a hot or a cold pool. When the most erased segment of
// the hot pool is a threshold ahead of the least erased one of the cold pool, the latter's data moves to the former to
// rest, and the two change pools. A segment of the cold pool that is erased often all the same goes to the hot pool,
// and one that lags far behind in the hot pool goes to the cold one. Scans all segments, once per cleaning. Pools are
// not on flash: a mount puts segments above the mean erase count into the hot pool, and counts from there.
#include <algorithm>

#include "firmware/policy/members.h"

namespace ftlab::fms::wear {
namespace {

class DualPool final : public WearLeveling {
 public:
  struct Params {
    std::uint32_t threshold = 16;
  };
  static constexpr Field<Params> kFields[] = {
      integer_field<&Params::threshold>("dual_pool_threshold", "erasures", 1, 1e9,
                                        "dual_pool: difference of erase counts from which on pools exchange segments"),
  };

  DualPool(const Params& params, const PolicySetup&) : threshold_(params.threshold) {}
  void layout(Arena& arena, const PolicySetup& setup) override { seats_ = arena.take<Seat>(setup.geometry.segments); }

  void clear() override {
    std::ranges::fill(seats_, Seat{});
    seated_ = false;
  }
  void on_erase(const SegmentView&, std::uint32_t segment) override { ++seats_[segment].erases; }
  void moved(const WearMove& move) override {
    move_to(Pool::hot, move.from);
    move_to(Pool::cold, move.to);
  }

  std::optional<WearMove> pick(const CleaningView& view) override {
    if (!seated_) seat_all(view);
    const Extremes found = look(view);
    view.probe.count(Work::segment_compare, view.data_segments);
    resize(view, found);
    const WearMove move{found.cold_least_full, found.hot_most};
    if (move.from == kNone || move.to == kNone || !is_ahead(count(view, move.to), count(view, move.from), threshold_))
      return std::nullopt;
    // Else its turn comes when it is cleaned.
    if (view.segments.row(move.to).state != SegmentState::free) return std::nullopt;
    return move;
  }

 private:
  enum class Pool : std::uint8_t { cold, hot };
  struct Seat {
    std::uint32_t erases = 0;  ///< since it joined the pool
    Pool pool = Pool::cold;
  };
  struct Extremes {
    std::uint32_t hot_most = kNone;          ///< erase count
    std::uint32_t hot_least = kNone;         ///< the same
    std::uint32_t cold_least_full = kNone;   ///< the same, of those whose data can move
    std::uint32_t hot_least_recent = kNone;  ///< erases since it joined
    std::uint32_t cold_most_recent = kNone;  ///< the same
  };

  [[nodiscard]] static bool takes_part(const SegmentRow& row) {
    return row.state != SegmentState::fixed && row.state != SegmentState::bad && !row.retired;
  }
  [[nodiscard]] static std::uint32_t count(const CleaningView& view, std::uint32_t id) {
    return view.segments.row(id).erase_count;
  }
  [[nodiscard]] static bool is_ahead(std::uint32_t of, std::uint32_t before, std::uint32_t by) {
    return of > before && of - before > by;
  }
  void move_to(Pool pool, std::uint32_t id) { seats_[id] = {0, pool}; }

  void seat_all(const CleaningView& view) {
    std::uint64_t sum = 0;
    std::uint32_t segments = 0;
    for (std::uint32_t id = 0; id < view.segments.segments(); ++id) {
      const SegmentRow row = view.segments.row(id);
      if (!takes_part(row)) continue;
      sum += row.erase_count;
      ++segments;
    }
    for (std::uint32_t id = 0; id < seats_.size(); ++id)
      move_to(std::uint64_t{count(view, id)} * segments > sum ? Pool::hot : Pool::cold, id);
    seated_ = true;
  }

  [[nodiscard]] Extremes look(const CleaningView& view) const {
    Extremes found;
    const auto better = [](std::uint32_t& best, std::uint32_t id, auto&& is_better) {
      if (best == kNone || is_better(id, best)) best = id;
    };
    const auto fewer = [&](std::uint32_t a, std::uint32_t b) { return count(view, a) < count(view, b); };
    const auto more = [&](std::uint32_t a, std::uint32_t b) { return count(view, a) > count(view, b); };
    for (std::uint32_t id = 0; id < seats_.size(); ++id) {
      const SegmentRow row = view.segments.row(id);
      if (!takes_part(row)) continue;
      if (seats_[id].pool == Pool::hot) {
        better(found.hot_most, id, more);
        better(found.hot_least, id, fewer);
        better(found.hot_least_recent, id, [&](auto a, auto b) { return seats_[a].erases < seats_[b].erases; });
      } else {
        if (row.state == SegmentState::sealed) better(found.cold_least_full, id, fewer);
        better(found.cold_most_recent, id, [&](auto a, auto b) { return seats_[a].erases > seats_[b].erases; });
      }
    }
    return found;
  }

  void resize(const CleaningView& view, const Extremes& found) {
    if (found.cold_most_recent != kNone &&
        is_ahead(seats_[found.cold_most_recent].erases,
                 found.hot_least_recent != kNone ? seats_[found.hot_least_recent].erases : 0, threshold_))
      move_to(Pool::hot, found.cold_most_recent);
    if (found.hot_least != kNone && is_ahead(count(view, found.hot_most), count(view, found.hot_least), 2 * threshold_))
      move_to(Pool::cold, found.hot_least);
  }

  std::uint32_t threshold_;
  std::span<Seat> seats_;
  bool seated_ = false;  ///< since the last mount
};

}  // namespace

constexpr WearLevelingEntry dual_pool = member<DualPool>(
    "dual_pool", "hot and cold pools: the coldest data rests in the segment of the hot pool that is erased most");

}  // namespace ftlab::fms::wear
