// Greedy selection: fewest valid pages (Desnoyers, section 3.2). A choice looks at the candidates with the fewest
// alone. The counted work stays that of the scan which the published algorithm makes: simulated time does not depend on
// how the choice is found here. In lists by valid pages it is the first of the lowest.
#include "firmware/map/candidate_index.h"
#include "firmware/policy/members.h"

namespace ftlab::fms::select {
namespace {

class Greedy final : public Selection {
 public:
  static constexpr std::string_view kUses[] = {"ties"};

  void layout(Arena& arena, const PolicySetup& setup) override {
    ties_ = setup.shared.ties;
    candidates_.layout(arena, setup.geometry.segments, setup.slots);
  }

  void clear() override { candidates_.clear(); }
  void on_write(const SegmentView& segments, std::uint32_t segment) override {
    candidates_.on_write(segments, segment);
  }
  void on_invalidate(const SegmentView& segments, std::uint32_t segment) override {
    candidates_.on_invalidate(segments, segment);
  }
  void on_state(const SegmentView& segments, std::uint32_t segment) override {
    candidates_.on_state(segments, segment);
  }

  std::optional<std::uint32_t> pick(const CleaningView& view) override {
    std::uint32_t best = candidates_.fewest();
    for (std::uint32_t id = best; id != kNone; id = candidates_.next(id))
      if (is_before(ties_, view.segments, id, best)) best = id;
    const bool ends_the_scan = best != kNone && view.segments.row(best).valid == 0 && first_wins(ties_);
    view.probe.count(Work::segment_compare, ends_the_scan ? candidates_up_to(best) : candidates_.count());
    return best != kNone ? std::optional(best) : std::nullopt;
  }

  [[nodiscard]] const char* self_check(const CleaningView& view) const override {
    return candidates_.self_check(view.segments);
  }

 private:
  /// A scan that ends at the first candidate without valid pages.
  [[nodiscard]] std::uint32_t candidates_up_to(std::uint32_t last) const {
    const std::uint32_t from = ties_ == Ties::highest_index ? last : 0;
    const std::uint32_t end = ties_ == Ties::highest_index ? candidates_.segments() : last + 1;
    std::uint32_t count = 0;
    for (std::uint32_t id = from; id < end; ++id) count += candidates_.has(id) ? 1 : 0;
    return count;
  }

  Ties ties_ = Ties::lowest_index;
  CandidateIndex candidates_;
};

class ListedGreedy final : public ListedSelection {
 public:
  static constexpr bool kSortByValid = true;
  static constexpr std::uint32_t bins(std::uint32_t pages) { return pages + 1; }

  using ListedSelection::ListedSelection;
  void sealed(std::uint32_t segment, std::uint32_t group) override {
    s_.segments.put(segment, group, s_.segments.valid(segment));
  }
  std::uint32_t pick(std::uint32_t group) override { return s_.segments.lowest(group, s_.pages_per_segment + 1); }
};

}  // namespace

constexpr SelectionEntry greedy =
    with_listed<ListedGreedy>(member<Greedy>("greedy", "the segment with the fewest valid pages"));

}  // namespace ftlab::fms::select
