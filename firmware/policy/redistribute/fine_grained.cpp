// M6: a page is hot when its hot degree is strictly above the mean, over all mapped pages or over the victim's at this
// moment. Degrees fade, each with its own age, so the mean is summed over ages, not over pages. What is counted as work
// is what a study says: the papers' rule, which rates every page for each victim, or this one.
#include "firmware/policy/aged_updates.h"
#include "firmware/policy/fixed_point.h"
#include "firmware/policy/members.h"

namespace ftlab::fms::redistribute {
namespace {

/// Over what the mean is taken, which the papers do not say, and how it is computed.
enum class HotMean : std::uint8_t {
  all_pages,
  victim_pages,
  by_age,  ///< that of all pages, from sums by age that every write keeps
};
constexpr EnumName<HotMean> kHotMeans[] = {
    {"all_pages", HotMean::all_pages}, {"victim_pages", HotMean::victim_pages}, {"by_age", HotMean::by_age}};

class FineGrained final : public Redistribution {
 public:
  struct Params {
    HotMean hot_mean = HotMean::all_pages;
  };
  static constexpr Field<Params> kFields[] = {
      choice_field<&Params::hot_mean, kHotMeans>(
          "hot_mean",
          "over what the mean hot degree is taken: all pages with data, each rated for every victim as the papers have "
          "it; the same pages by sums for each age that writes keep, so that no page is rated; or those of "
          "the victim")
          .not_published()
          .by_default_on_arrays(place_of(HotMean::by_age, kHotMeans)),  // an array has too many pages to rate for each
  };
  static constexpr std::string_view kUses[] = {"age_exponent", "hot_function", "age_unit"};
  static constexpr std::uint32_t kStreams = 2;

  FineGrained(const Params& params, const PolicySetup&) : params_(params) {}
  void layout(Arena& arena, const PolicySetup& setup) override {
    inverse_age_.layout(arena, setup.shared);
    if (of_all()) updates_.layout(arena);
  }
  void clear() override {
    if (of_all()) updates_.clear();
  }
  void on_page(PageHistory before, PageHistory after) override {
    if (of_all()) updates_.on_page(before, after);
  }
  [[nodiscard]] const char* self_check(const CleaningView& view) const override {
    if (!of_all()) return nullptr;
    std::uint64_t sum = 0;
    for (std::uint32_t lpn = 0; lpn < view.pages.size(); ++lpn) sum += degree_of(view.pages, lpn, updates_.now());
    return sum == sum_of_degrees().degrees ? nullptr
                                           : "the hot degrees of all pages are not summed as the pages have them";
  }

  /// The write moves the page's updates from the sum of an age to that of another one, and in time on to older ones.
  StreamId stream_of(const CleaningView& view, std::uint32_t /*lpn*/) override {
    if (params_.hot_mean == HotMean::by_age) view.probe.count(Work::page_rate, 1);
    return kHot;
  }

  void plan(const CleaningView& view, std::span<PageMove> moves) override {
    const std::uint64_t mean = of_all() ? mean_of_all(view, moves.size()) : mean_of(view, moves);
    // degree > sum / pages  <=>  degree > floor(sum / pages), for an integer degree.
    for (PageMove& move : moves) move.stream = degree_of(view.pages, move.lpn, view.now) > mean ? kHot : kCold;
  }

 private:
  [[nodiscard]] bool of_all() const { return params_.hot_mean != HotMean::victim_pages; }
  [[nodiscard]] std::uint64_t degree_of(const PageTable& pages, std::uint32_t lpn, std::uint64_t now) const {
    return inverse_age_.hot_degree_q31(pages.updates(lpn), AgedUpdates::age_of(pages.stamp(lpn), now));
  }
  struct Sum {
    std::uint64_t degrees = 0;
    std::uint32_t ages = 0;
    std::uint32_t looked_at = 0;
  };
  /// Fits while all updates together are below 2^33.
  [[nodiscard]] Sum sum_of_degrees() const {
    Sum sum;
    sum.looked_at = updates_.for_each_age([&](std::uint64_t age, std::uint64_t updates) {
      sum.degrees += updates * inverse_age_.of_q31(age);
      ++sum.ages;
    });
    return sum;
  }
  [[nodiscard]] std::uint64_t mean_of_all(const CleaningView& view, std::size_t victim_pages) {
    updates_.advance(view.now);
    const Sum sum = sum_of_degrees();
    if (params_.hot_mean == HotMean::all_pages) {
      view.probe.count(Work::page_rate, view.pages.mapped());
    } else {
      view.probe.count(Work::page_rate, sum.ages + static_cast<std::uint32_t>(victim_pages));
      view.probe.count(Work::segment_compare, sum.looked_at);
    }
    return sum.degrees / view.pages.mapped();
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
