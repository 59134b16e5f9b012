// M6: a page is hot when its hot degree is strictly above the mean over all mapped pages at this moment.
// The mean is summed anew for each victim: every page's degree fades with its own age, so no sum can be carried over.
#include "firmware/policy/fixed_point.h"
#include "firmware/policy/members.h"

namespace ftlab::fms::redistribute {
namespace {

class FineGrained final : public Redistribution {
 public:
  static constexpr std::uint32_t kStreams = 2;
  void plan(const CleaningView& view, std::uint32_t, std::span<PageMove> moves) override {
    const PageTable& pages = view.pages;
    const std::uint64_t sum =
        hot_degree_sum_q31(pages.all_updates().data(), pages.all_stamps().data(), pages.size(), view.now);
    // degree > sum / mapped  <=>  degree > floor(sum / mapped), for an integer degree.
    const std::uint64_t mean = sum / pages.mapped();
    view.probe.count(Work::page_rate, pages.mapped());
    for (PageMove& move : moves) {
      const std::uint64_t degree = hot_degree_q31(pages.updates(move.lpn), view.now - pages.stamp(move.lpn));
      move.stream = degree > mean ? kHot : kCold;
    }
  }
};

}  // namespace

constexpr RedistributionEntry fine_grained =
    member<FineGrained>("fine_grained", "M6: pages whose hot degree exceeds the mean stay hot, the others go apart");

}  // namespace ftlab::fms::redistribute
