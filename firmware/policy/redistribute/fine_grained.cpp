// M6: a page is hot when its hot degree is strictly above the mean, over all mapped pages or over the victim's at this
// moment. Degrees fade, each with its own age, so the mean is summed over ages, not over pages. The work that is
// counted is that of the papers' rule, which rates every page.
#include "firmware/policy/aged_updates.h"
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
  void layout(Arena& arena, const PolicySetup& setup) override {
    inverse_age_.layout(arena, setup.shared);
    if (params_.hot_mean == HotMean::all_pages) updates_.layout(arena);
  }
  void clear() override {
    if (params_.hot_mean == HotMean::all_pages) updates_.clear();
  }
  void on_page(PageHistory before, PageHistory after) override {
    if (params_.hot_mean == HotMean::all_pages) updates_.on_page(before, after);
  }
  [[nodiscard]] const char* self_check(const CleaningView& view) const override {
    if (params_.hot_mean != HotMean::all_pages) return nullptr;
    std::uint64_t sum = 0;
    for (std::uint32_t lpn = 0; lpn < view.pages.size(); ++lpn) sum += degree_of(view.pages, lpn, updates_.now());
    return sum == sum_of_degrees() ? nullptr : "the hot degrees of all pages are not summed as the pages have them";
  }

  void plan(const CleaningView& view, std::span<PageMove> moves) override {
    const std::uint64_t mean = params_.hot_mean == HotMean::all_pages ? mean_of_all(view) : mean_of(view, moves);
    // degree > sum / pages  <=>  degree > floor(sum / pages), for an integer degree.
    for (PageMove& move : moves) move.stream = degree_of(view.pages, move.lpn, view.now) > mean ? kHot : kCold;
  }

 private:
  [[nodiscard]] std::uint64_t degree_of(const PageTable& pages, std::uint32_t lpn, std::uint64_t now) const {
    return inverse_age_.hot_degree_q31(pages.updates(lpn), AgedUpdates::age_of(pages.stamp(lpn), now));
  }
  /// Fits while all updates together are below 2^33.
  [[nodiscard]] std::uint64_t sum_of_degrees() const {
    std::uint64_t sum = 0;
    updates_.for_each_age([&](std::uint64_t age, std::uint64_t updates) { sum += updates * inverse_age_.of_q31(age); });
    return sum;
  }
  [[nodiscard]] std::uint64_t mean_of_all(const CleaningView& view) {
    view.probe.count(Work::page_rate, view.pages.mapped());
    updates_.advance(view.now);
    return sum_of_degrees() / view.pages.mapped();
  }
  [[nodiscard]] std::uint64_t mean_of(const CleaningView& view, std::span<const PageMove> moves) const {
    view.probe.count(Work::page_rate, static_cast<std::uint32_t>(moves.size()));
    std::uint64_t sum = 0;
    for (const PageMove& move : moves) sum += degree_of(view.pages, move.lpn, view.now);
    return moves.empty() ? 0 : sum / moves.size();
  }

  Params params_;
  InverseAge inverse_age_;
  AgedUpdates updates_;  ///< for the mean over all pages
};

}  // namespace

constexpr RedistributionEntry fine_grained =
    member<FineGrained>("fine_grained", "M6: pages whose hot degree exceeds the mean stay hot, the others go apart");

}  // namespace ftlab::fms::redistribute
