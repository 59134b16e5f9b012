// Greedy selection: fewest valid pages. Candidates lie in lists by their number of valid pages, kept with every change,
// so that a choice looks at those with the fewest alone. The counted work stays that of the scan which the published
// algorithm makes: simulated time does not depend on how the choice is found here.
#include <algorithm>
#include <span>

#include "firmware/policy/members.h"

namespace ftlab::fms::select {
namespace {

class Greedy final : public Selection {
 public:
  void layout(Arena& arena, const PolicySetup& setup) override {
    links_ = arena.take<Links>(setup.geometry.segments);
    first_ = arena.take<std::uint32_t>(setup.slots);
  }

  void clear() override {
    std::ranges::fill(links_, Links{});
    std::ranges::fill(first_, kNone);
    candidates_ = 0;
  }
  void on_write(const SegmentTable& segments, std::uint32_t segment, std::uint32_t) override {
    update(segments, segment);
  }
  void on_invalidate(const SegmentTable& segments, std::uint32_t segment, std::uint32_t) override {
    update(segments, segment);
  }
  void on_state(const SegmentTable& segments, std::uint32_t segment) override { update(segments, segment); }

  std::optional<std::uint32_t> pick(const CleaningView& view) override {
    const auto list = std::ranges::find_if(first_, [](std::uint32_t first) { return first != kNone; });
    std::uint32_t best = list != first_.end() ? *list : kNone;
    for (std::uint32_t id = best; id != kNone; id = links_[id].next) best = std::min(best, id);
    const bool empty = list == first_.begin();
    view.probe.count(Work::segment_compare, best != kNone && empty ? candidates_up_to(best) : candidates_);
    return best != kNone ? std::optional(best) : std::nullopt;
  }

  [[nodiscard]] const char* self_check(const CleaningView& view) const override {
    std::uint32_t candidates = 0;
    for (std::uint32_t id = 0; id < view.segments.segments(); ++id) {
      const SegmentRow& row = view.segments.row(id);
      const bool candidate = is_candidate(row, view.segments.slots());
      if (links_[id].valid != (candidate ? row.valid : kNone)) return "greedy lists a candidate wrongly, or none";
      candidates += candidate ? 1 : 0;
    }
    if (candidates != candidates_) return "greedy counts its candidates wrongly";
    std::uint32_t listed = 0;
    for (std::uint32_t valid = 0; valid < first_.size(); ++valid)
      for (std::uint32_t id = first_[valid]; id != kNone && listed <= candidates; id = links_[id].next, ++listed)
        if (links_[id].valid != valid) return "greedy has a candidate in a wrong list";
    return listed == candidates ? nullptr : "greedy has lost a candidate";
  }

 private:
  struct Links {
    std::uint32_t valid = kNone;  ///< whose list; kNone: no candidate
    std::uint32_t before = kNone;
    std::uint32_t next = kNone;
  };

  void update(const SegmentTable& segments, std::uint32_t segment) {
    const SegmentRow& row = segments.row(segment);
    const std::uint32_t valid = is_candidate(row, segments.slots()) ? row.valid : kNone;
    Links& links = links_[segment];
    if (links.valid == valid) return;
    if (links.valid != kNone) {
      (links.before == kNone ? first_[links.valid] : links_[links.before].next) = links.next;
      if (links.next != kNone) links_[links.next].before = links.before;
      --candidates_;
    }
    links = {valid, kNone, kNone};
    if (valid == kNone) return;
    links.next = first_[valid];
    if (links.next != kNone) links_[links.next].before = segment;
    first_[valid] = segment;
    ++candidates_;
  }
  /// A scan ends at the first candidate without valid pages.
  [[nodiscard]] std::uint32_t candidates_up_to(std::uint32_t last) const {
    std::uint32_t count = 0;
    for (const Links& links : links_.first(last + 1)) count += links.valid != kNone ? 1 : 0;
    return count;
  }

  std::span<Links> links_;
  std::span<std::uint32_t> first_;  ///< of each list
  std::uint32_t candidates_ = 0;
};

}  // namespace

constexpr SelectionEntry greedy = member<Greedy>("greedy", "the segment with the fewest valid pages");

}  // namespace ftlab::fms::select
