// Randomised leveling of static data (A. Ban, US patent 6,732,221, 2004): after an erase, by a small chance, the data
// of a segment drawn at random moves to a free one. Data that rests moves on in the end, and no erase count is looked
// at.
#include "firmware/policy/draws.h"
#include "firmware/policy/members.h"

namespace ftlab::fms::wear {
namespace {

class Ban final : public WearLeveling {
 public:
  struct Params {
    std::uint32_t every = 100;
  };
  static constexpr Field<Params> kFields[] = {
      integer_field<&Params::every>("ban_every", "cleanings", 1, 1e9,
                                    "ban: one cleaning in so many, drawn at random, moves a segment drawn at random")
          .not_published(),
  };

  Ban(const Params& params, const PolicySetup& setup) : params_(params), draws_(Draws::Consumer::ban, setup.seed) {}
  void layout(Arena& arena, const PolicySetup& setup) override { draws_.layout(arena, setup.geometry.segments); }

  void clear() override { draws_.clear(); }
  void on_erase(const SegmentView& segments, std::uint32_t segment) override { draws_.see(segments, segment); }
  void on_state(const SegmentView& segments, std::uint32_t segment) override { draws_.see(segments, segment); }

  std::optional<WearMove> pick(const CleaningView& view) override {
    Random random = draws_.stream();
    if (random.below(params_.every) != 0) return std::nullopt;
    const WearMove move{drawn(view, random), view.segments.first_free()};
    return move.from != kNone && move.to != kNone ? std::optional(move) : std::nullopt;
  }

  [[nodiscard]] const char* self_check(const CleaningView& view) const override {
    return draws_.self_check(view.segments);
  }

 private:
  [[nodiscard]] static bool can_move(const SegmentRow& row) {
    return row.state == SegmentState::sealed && !row.retired && row.valid > 0;
  }
  /// From a segment drawn at random the first one that can move.
  [[nodiscard]] static std::uint32_t drawn(const CleaningView& view, Random& random) {
    const std::uint32_t all = view.segments.segments();
    const std::uint32_t start = random.below(all);
    for (std::uint32_t i = 0; i < all; ++i)
      if (const std::uint32_t id = (start + i) % all; can_move(view.segments.row(id))) return id;
    return kNone;
  }

  Params params_;
  Draws draws_;
};

}  // namespace

constexpr WearLevelingEntry ban = member<Ban>("ban", "now and then the data of a segment drawn at random moves on");

}  // namespace ftlab::fms::wear
