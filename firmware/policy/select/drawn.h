// What selections share that draw candidates at random, each as likely as any other. A segment without valid pages has
// no precedence there.
#pragma once

#include <cstdint>

#include "firmware/map/candidate_index.h"
#include "firmware/policy/draws.h"
#include "firmware/policy/families.h"

namespace ftlab::fms {

class DrawingSelection : public Selection {
 public:
  static constexpr bool kByChance = true;

  DrawingSelection(Draws::Consumer consumer, const PolicySetup& setup) : draws_(consumer, setup.seed) {}
  void layout(Arena& arena, const PolicySetup& setup) override {
    draws_.layout(arena, setup.geometry.segments);
    candidates_.layout(arena, setup.geometry.segments, setup.slots);
  }

  void clear() override {
    draws_.clear();
    candidates_.clear();
  }
  void on_write(const SegmentView& segments, std::uint32_t segment) override {
    candidates_.on_write(segments, segment);
  }
  void on_invalidate(const SegmentView& segments, std::uint32_t segment) override {
    candidates_.on_invalidate(segments, segment);
  }
  void on_erase(const SegmentView& segments, std::uint32_t segment) override { draws_.see(segments, segment); }
  void on_state(const SegmentView& segments, std::uint32_t segment) override {
    draws_.see(segments, segment);
    candidates_.on_state(segments, segment);
  }
  [[nodiscard]] const char* self_check(const CleaningView& view) const override {
    const char* broken = draws_.self_check(view.segments);
    return broken != nullptr ? broken : candidates_.self_check(view.segments);
  }

 protected:
  ~DrawingSelection() = default;

  /// There is a candidate.
  [[nodiscard]] std::uint32_t draw(const CleaningView& view, Random& random) const {
    // Most segments are candidates. Where few are, drawing on would take long: then the rank of one is drawn.
    for (std::uint32_t tries = 1; tries <= kTries; ++tries) {
      const std::uint32_t id = random.below(candidates_.segments());
      if (!candidates_.has(id)) continue;
      view.probe.count(Work::segment_compare, tries);
      return id;
    }
    std::uint32_t rank = random.below(candidates_.count());
    std::uint32_t id = 0;
    while (!candidates_.has(id) || rank-- > 0) ++id;
    view.probe.count(Work::segment_compare, kTries + id + 1);
    return id;
  }

  Draws draws_;
  CandidateIndex candidates_;

 private:
  static constexpr std::uint32_t kTries = 32;
};

}  // namespace ftlab::fms
