// Windowed greedy: the fewest valid pages among the oldest candidates, a window of ftl.window of the data segments
// (Desnoyers, section 3.3). The age of a segment is that of its being taken into use, as with fifo, which it is with a
// window of one; with a window of all it is greedy. In lists the oldest became full first, as with lru, and those that
// are younger than the window wait in a list of their own.
#include <algorithm>

#include "firmware/map/candidate_index.h"
#include "firmware/policy/members.h"

namespace ftlab::fms::select {
namespace {

struct Window {
  std::uint64_t ppm = 10'000;

  [[nodiscard]] std::uint32_t of(std::uint32_t segments) const {
    return std::max<std::uint32_t>(1, static_cast<std::uint32_t>(ppm * segments / 1'000'000));
  }
};

class WindowedGreedy final : public Selection {
 public:
  using Params = Window;
  static constexpr Field<Params> kFields[] = {scaled_field<&Params::ppm>(
      "window", "", 1e6, 1e-6, 1, "windowed_greedy: share of a die's segments, the oldest, that is looked at")};
  static constexpr std::string_view kUses[] = {"ties"};

  WindowedGreedy(const Params& params, const PolicySetup& setup) : window_(params), ties_(setup.shared.ties) {}
  void layout(Arena& arena, const PolicySetup& setup) override {
    candidates_ = arena.take<std::uint32_t>(setup.geometry.segments);
  }

  std::optional<std::uint32_t> pick(const CleaningView& view) override {
    const SegmentView& table = view.segments;
    std::size_t count = 0;
    bool is_over = false;
    for (std::uint32_t i = 0; i < table.segments() && !is_over; ++i) {
      const std::uint32_t id = looked_at(ties_, i, table.segments());
      if (!is_candidate(table.row(id), table.slots())) continue;
      candidates_[count++] = id;
      is_over = table.row(id).valid == 0 && first_wins(ties_);
    }
    view.probe.count(Work::segment_compare, static_cast<std::uint32_t>(count));
    if (count == 0) return std::nullopt;
    const auto all = candidates_.first(count);
    const auto has_fewer = [&](std::uint32_t a, std::uint32_t b) {
      const std::uint32_t of_a = table.row(a).valid;
      const std::uint32_t of_b = table.row(b).valid;
      return of_a != of_b ? of_a < of_b : is_before(ties_, table, a, b);
    };
    const std::uint32_t fewest = *std::ranges::min_element(all, has_fewer);
    const std::uint32_t window = window_.of(view.data_segments);
    if (table.row(fewest).valid == 0 || window >= count) return fewest;
    std::ranges::nth_element(all, all.begin() + window, [&](std::uint32_t a, std::uint32_t b) {
      const std::uint64_t of_a = table.row(a).opened_sequence;
      const std::uint64_t of_b = table.row(b).opened_sequence;
      return of_a != of_b ? of_a < of_b : is_before(ties_, table, a, b);
    });
    return *std::ranges::min_element(all.first(window), has_fewer);
  }

 private:
  Window window_;
  Ties ties_;
  std::span<std::uint32_t> candidates_;
};

class ListedWindowedGreedy final : public ListedSelection {
 public:
  using Params = Window;
  static constexpr bool kSortByValid = true;
  /// One more for those that are not looked at.
  static constexpr std::uint32_t bins(std::uint32_t pages) { return pages + 2; }

  ListedWindowedGreedy(const Window& window, const ListedSetup& setup)
      : ListedSelection(setup), waiting_(setup.pages_per_segment + 1), window_(window.of(setup.segments_per_die)) {}

  void layout(Arena& arena) override { in_window_ = arena.take<std::uint32_t>(s_.groups); }
  void clear() override { std::ranges::fill(in_window_, 0); }
  void sealed(std::uint32_t segment, std::uint32_t group) override {
    s_.segments.put(segment, group, waiting_);
    fill(group);
  }
  std::uint32_t pick(std::uint32_t group) override { return s_.segments.lowest(group, waiting_); }
  void taken(std::uint32_t group, std::uint32_t bin) override {
    if (bin != waiting_) --in_window_[group];
    fill(group);
  }

 private:
  void fill(std::uint32_t group) {
    while (in_window_[group] < window_) {
      const std::uint32_t oldest = s_.segments.first(group, waiting_);
      if (oldest == kNoSegment) return;
      s_.segments.move_to_bin(oldest, s_.segments.valid(oldest));
      ++in_window_[group];
    }
  }

  std::uint32_t waiting_;  ///< bin of those that are younger than the window
  std::uint32_t window_;
  std::span<std::uint32_t> in_window_;
};

}  // namespace

constexpr SelectionEntry windowed_greedy = with_listed<ListedWindowedGreedy>(
    member<WindowedGreedy>("windowed_greedy", "the fewest valid pages among the oldest segments"));

}  // namespace ftlab::fms::select
