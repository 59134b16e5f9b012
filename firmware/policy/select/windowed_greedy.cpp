// Windowed greedy: the fewest valid pages among the oldest candidates, a window of ftl.window of the data segments
// (Desnoyers, section 3.3). The age of a segment is that of its being taken into use, as with fifo, which it is with a
// window of one; with a window of all it is greedy.
#include <algorithm>

#include "firmware/map/candidate_index.h"
#include "firmware/policy/members.h"
#include "firmware/policy/select/by_valid.h"

namespace ftlab::fms::select {
namespace {

class WindowedGreedy final : public Selection {
 public:
  struct Params {
    std::uint64_t window_ppm = kWindowPpm;
  };
  static constexpr Field<Params> kFields[] = {window_field<&Params::window_ppm>()};
  static constexpr std::string_view kUses[] = {"ties"};

  WindowedGreedy(const Params& params, const PolicySetup& setup) : params_(params), ties_(setup.shared.ties) {}
  void layout(Arena& arena, const PolicySetup& setup) override {
    candidates_ = arena.take<std::uint32_t>(setup.geometry.segments);
  }

  std::optional<std::uint32_t> pick(const CleaningView& view) override {
    const SegmentTable& table = view.segments;
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
    const std::uint32_t window = window_of(params_.window_ppm, view.data_segments);
    if (table.row(fewest).valid == 0 || window >= count) return fewest;
    std::ranges::nth_element(all, all.begin() + window, [&](std::uint32_t a, std::uint32_t b) {
      const std::uint64_t of_a = table.row(a).opened_sequence;
      const std::uint64_t of_b = table.row(b).opened_sequence;
      return of_a != of_b ? of_a < of_b : is_before(ties_, table, a, b);
    });
    return *std::ranges::min_element(all.first(window), has_fewer);
  }

 private:
  Params params_;
  Ties ties_;
  std::span<std::uint32_t> candidates_;
};

}  // namespace

constexpr SelectionEntry windowed_greedy = member<WindowedGreedy>(kWindowedGreedy.name, kWindowedGreedy.help);

}  // namespace ftlab::fms::select
