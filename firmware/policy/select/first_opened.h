// The segment that was taken into use first, found by a look at all of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "firmware/policy/select/scored.h"

namespace ftlab::fms {

class FirstOpened final : public Selection {
 public:
  static constexpr std::string_view kUses[] = {"ties"};

  void layout(Arena&, const PolicySetup& setup) override { ties_ = setup.shared.ties; }
  std::optional<std::uint32_t> pick(const CleaningView& view) override {
    const Looked looked = look_for_highest(
        view, ties_, [](const SegmentRow& row) { return -static_cast<std::int64_t>(row.opened_sequence); });
    view.probe.count(Work::segment_compare, looked.compared);
    return looked.choice();
  }

 private:
  Ties ties_ = Ties::lowest_index;
};

}  // namespace ftlab::fms
