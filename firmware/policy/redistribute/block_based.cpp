// M5: a page (the papers' block) is hot when it has been updated strictly more often than the mean over all pages. The
// table keeps the sum of all updates, so that no other page is looked at.
#include "firmware/policy/members.h"

namespace ftlab::fms::redistribute {
namespace {

class BlockBased final : public Redistribution {
 public:
  static constexpr std::uint32_t kStreams = 2;
  void plan(const CleaningView& view, std::span<PageMove> moves) override {
    view.probe.count(Work::segment_compare, static_cast<std::uint32_t>(moves.size()));
    // updates > sum / mapped  <=>  updates > floor(sum / mapped), for whole updates.
    const std::uint64_t mean = view.pages.updates_sum() / view.pages.mapped();
    for (PageMove& move : moves) move.stream = view.pages.updates(move.lpn) > mean ? kHot : kCold;
  }
};

}  // namespace

constexpr RedistributionEntry block_based =
    member<BlockBased>("block_based", "M5: pages updated more often than the mean stay hot, the others go apart");

}  // namespace ftlab::fms::redistribute
