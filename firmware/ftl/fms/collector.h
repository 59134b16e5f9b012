// What the FMS decides about cleaning, by its policies: the victim, the stream of each page, and the swap near end of
// life. How pages are moved is the cleaner's.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "firmware/ftl/fms/state.h"
#include "firmware/policy/select/fewest_valid.h"
#include "firmware/volume/cleaner.h"

namespace ftlab::fms {

class Collector final : public CleaningDecisions {
 public:
  Collector(FmsState& state, WriteFrontier& frontier, SegmentPool& pool)
      : s_(state),
        v_(state.volume),
        pool_(pool),
        least_(copy_segments(state.config)),
        cleaner_(state.volume, frontier, pool, *this,
                 {state.config.low_water, state.config.high_water, state.config.clean_at_once}) {}

  [[nodiscard]] Cleaner& cleaner() { return cleaner_; }

  bool goes_on(bool full, std::uint32_t free, const WaterMarks& marks) override {
    return s_.policies.trigger().goes_on(s_.view(), room_left(full, free, marks));
  }
  bool is_worth(std::uint32_t victim, std::uint32_t free, const WaterMarks& marks) override {
    return s_.policies.trigger().is_worth(s_.view(), room_left(true, free, marks), victim);
  }
  std::optional<std::uint32_t> pick_victim() override { return s_.policies.selection().pick(s_.view()); }
  std::optional<std::uint32_t> pick_fewest_valid() override { return fewest_valid(s_.view(), s_.config.shared.ties); }
  void plan(std::span<PageMove> moves) override;
  /// Levels wear.
  void cleaned() override;

 private:
  [[nodiscard]] RoomLeft room_left(bool full, std::uint32_t free, const WaterMarks& marks) const {
    return {full, free, marks.low, marks.high, least_ + v_.more_reserve};
  }

  FmsState& s_;
  Volume& v_;
  SegmentPool& pool_;
  std::uint32_t least_;  ///< free segments that copies may need
  Cleaner cleaner_;
};

}  // namespace ftlab::fms
