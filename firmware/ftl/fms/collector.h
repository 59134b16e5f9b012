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
        cleaner_(state.volume, frontier, pool, *this,
                 {state.config.low_water, state.config.high_water, state.config.clean_at_once}) {}

  [[nodiscard]] Cleaner& cleaner() { return cleaner_; }

  std::optional<std::uint32_t> pick_victim() override { return s_.policies.selection().pick(s_.view()); }
  std::optional<std::uint32_t> pick_fewest_valid() override { return fewest_valid(s_.view(), s_.config.shared.ties); }
  void plan(std::span<PageMove> moves) override;
  /// Levels wear.
  void cleaned() override;

 private:
  FmsState& s_;
  Volume& v_;
  SegmentPool& pool_;
  Cleaner cleaner_;
};

}  // namespace ftlab::fms
