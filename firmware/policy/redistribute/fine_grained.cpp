// M6: a page is hot when its hot degree is strictly above the mean, over all mapped pages or over the victim's at this
// moment. The mean is summed anew for each victim: every page's degree fades with its own age, so no sum can be carried
// over.
#include "firmware/policy/fixed_point.h"
#include "firmware/policy/members.h"

namespace ftlab::fms::redistribute {
namespace {

/// Over what the mean is taken: the papers do not say.
enum class HotMean : std::uint8_t { all_pages, victim_pages };
constexpr EnumName<HotMean> kHotMeans[] = {{"all_pages", HotMean::all_pages}, {"victim_pages", HotMean::victim_pages}};

class FineGrained final : public Redistribution {
 public:
  struct Params {
    HotMean hot_mean = HotMean::all_pages;
  };
  static constexpr Field<Params> kFields[] = {
      choice_field<&Params::hot_mean, kHotMeans>(
          "hot_mean", "over what the mean hot degree is taken: all pages with data, or those of the victim")
          .not_published(),
  };
  static constexpr std::string_view kUses[] = {"age_exponent", "hot_function", "age_unit"};
  static constexpr std::uint32_t kStreams = 2;

  FineGrained(const Params& params, const PolicySetup&) : params_(params) {}
  void layout(Arena& arena, const PolicySetup& setup) override { inverse_age_.layout(arena, setup.shared); }

  void plan(const CleaningView& view, std::span<PageMove> moves) override {
    const std::uint64_t mean = params_.hot_mean == HotMean::all_pages ? mean_of_all(view) : mean_of(view, moves);
    // degree > sum / pages  <=>  degree > floor(sum / pages), for an integer degree.
    for (PageMove& move : moves) move.stream = degree_of(view, move.lpn) > mean ? kHot : kCold;
  }

 private:
  [[nodiscard]] std::uint64_t degree_of(const CleaningView& view, std::uint32_t lpn) const {
    return inverse_age_.hot_degree_q31(view.pages.updates(lpn), view.now - view.pages.stamp(lpn));
  }
  [[nodiscard]] std::uint64_t mean_of_all(const CleaningView& view) const {
    const PageTable& pages = view.pages;
    view.probe.count(Work::page_rate, pages.mapped());
    return inverse_age_.hot_degree_sum_q31(pages.all_updates().data(), pages.all_stamps().data(), pages.size(),
                                           view.now) /
           pages.mapped();
  }
  [[nodiscard]] std::uint64_t mean_of(const CleaningView& view, std::span<const PageMove> moves) const {
    view.probe.count(Work::page_rate, static_cast<std::uint32_t>(moves.size()));
    std::uint64_t sum = 0;
    for (const PageMove& move : moves) sum += degree_of(view, move.lpn);
    return moves.empty() ? 0 : sum / moves.size();
  }

  Params params_;
  InverseAge inverse_age_;
};

}  // namespace

constexpr RedistributionEntry fine_grained =
    member<FineGrained>("fine_grained", "M6: pages whose hot degree exceeds the mean stay hot, the others go apart");

}  // namespace ftlab::fms::redistribute
