// Greedy selection: fewest valid pages. A choice looks at the candidates with the fewest alone. The counted work stays
// that of the scan which the published algorithm makes: simulated time does not depend on how the choice is found here.
#include <algorithm>

#include "firmware/map/candidate_index.h"
#include "firmware/policy/members.h"

namespace ftlab::fms::select {
namespace {

class Greedy final : public Selection {
 public:
  void layout(Arena& arena, const PolicySetup& setup) override {
    candidates_.layout(arena, setup.geometry.segments, setup.slots);
  }

  void clear() override { candidates_.clear(); }
  void on_write(const SegmentTable& segments, std::uint32_t segment, std::uint32_t slot) override {
    candidates_.on_write(segments, segment, slot);
  }
  void on_invalidate(const SegmentTable& segments, std::uint32_t segment, std::uint32_t slot) override {
    candidates_.on_invalidate(segments, segment, slot);
  }
  void on_state(const SegmentTable& segments, std::uint32_t segment) override {
    candidates_.on_state(segments, segment);
  }

  std::optional<std::uint32_t> pick(const CleaningView& view) override {
    std::uint32_t best = candidates_.fewest();
    for (std::uint32_t id = best; id != kNone; id = candidates_.next(id)) best = std::min(best, id);
    const bool empty = best != kNone && view.segments.row(best).valid == 0;
    view.probe.count(Work::segment_compare, empty ? candidates_up_to(best) : candidates_.count());
    return best != kNone ? std::optional(best) : std::nullopt;
  }

  [[nodiscard]] const char* self_check(const CleaningView& view) const override {
    return candidates_.self_check(view.segments);
  }

 private:
  /// A scan ends at the first candidate without valid pages.
  [[nodiscard]] std::uint32_t candidates_up_to(std::uint32_t last) const {
    std::uint32_t count = 0;
    for (std::uint32_t id = 0; id <= last; ++id) count += candidates_.has(id) ? 1 : 0;
    return count;
  }

  CandidateIndex candidates_;
};

}  // namespace

constexpr SelectionEntry greedy = member<Greedy>("greedy", "the segment with the fewest valid pages");

}  // namespace ftlab::fms::select
