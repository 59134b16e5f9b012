// The revised greedy of Linux' PCMCIA driver: the most garbage, but one cleaning in fifty takes the least erased
// segment. ftl_cs of David Hinds' PCMCIA package, today drivers/mtd/ftl.c, reclaim_block(): `jiffies % shuffle_freq ==
// 0` with shuffle_freq = 50. The clock tick of a cleaning is as good as a draw, and here it is one. The least erased
// segment may be full of valid pages, as there: data that rests is what the driver wants to move.
#include "firmware/policy/draws.h"
#include "firmware/policy/members.h"
#include "firmware/policy/select/fewest_valid.h"

namespace ftlab::fms::select {
namespace {

class RevisedGreedy final : public Selection {
 public:
  struct Params {
    std::uint32_t shuffle_freq = 50;
  };
  static constexpr Field<Params> kFields[] = {
      integer_field<&Params::shuffle_freq>(
          "shuffle_freq", "cleanings", 1, 1e9,
          "linux_pcmcia: one cleaning in so many, drawn at random, takes the least erased segment"),
  };
  static constexpr std::string_view kUses[] = {"ties"};
  static constexpr bool kByChance = true;

  RevisedGreedy(const Params& params, const PolicySetup& setup)
      : params_(params), ties_(setup.shared.ties), draws_(Draws::Consumer::linux_shuffle, setup.seed) {}
  void layout(Arena& arena, const PolicySetup& setup) override { draws_.layout(arena, setup.geometry.segments); }

  void clear() override { draws_.clear(); }
  void on_erase(const SegmentView& segments, std::uint32_t segment) override { draws_.see(segments, segment); }
  void on_state(const SegmentView& segments, std::uint32_t segment) override { draws_.see(segments, segment); }

  std::optional<std::uint32_t> pick(const CleaningView& view) override {
    // Where nothing is to be gained nothing is moved either, or cleaning would go round for ever.
    const auto emptiest = fewest_valid(view, ties_);
    return emptiest && draws_.stream().below(params_.shuffle_freq) == 0 ? least_erased(view) : emptiest;
  }

  [[nodiscard]] const char* self_check(const CleaningView& view) const override {
    return draws_.self_check(view.segments);
  }

 private:
  [[nodiscard]] std::optional<std::uint32_t> least_erased(const CleaningView& view) const {
    const SegmentView& segments = view.segments;
    std::uint32_t best = kNone;
    std::uint32_t compared = 0;
    for (std::uint32_t i = 0; i < segments.segments(); ++i) {
      const std::uint32_t id = looked_at(ties_, i, segments.segments());
      const SegmentRow row = segments.row(id);
      if (row.state != SegmentState::sealed || row.cleaning) continue;
      ++compared;
      if (best == kNone || row.erase_count < segments.row(best).erase_count) best = id;
    }
    view.probe.count(Work::segment_compare, compared);
    return best != kNone ? std::optional(best) : std::nullopt;
  }

  Params params_;
  Ties ties_;
  Draws draws_;
};

}  // namespace

constexpr SelectionEntry linux_pcmcia = member<RevisedGreedy>(
    "linux_pcmcia",
    "the fewest valid pages, now and then the least erased (revised greedy of the Linux PCMCIA driver)");

}  // namespace ftlab::fms::select
