// What every translation layer must do on every medium: the rows of tests/powerloss/layers.txt. A case that fails
// prints what `ftlab-campaign replay` repeats.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/fixtures/repetitions.h"
#include "tests/fixtures/share.h"
#include "tests/powerloss/campaigns.h"

namespace ftlab::tests {
namespace {

/// Few: the campaigns of a whole run go on from there, and under sanitizers each is dear.
constexpr std::uint64_t kSeeds = 3;
/// Without losses a case costs little, and each has another size and other policies.
constexpr std::uint64_t kSizes = 12;

class EveryLayer : public testing::TestWithParam<LayerCampaigns> {
 protected:
  void SetUp() override {
    static Share share;
    if (!share.takes_next()) GTEST_SKIP() << "another run's share (FTLAB_SHARE)";
  }
  /// What failed in the cases of the first seeds.
  static std::string failures_of(const std::string& suffix, std::uint64_t seeds) {
    const Campaign* campaign = find_campaign(std::string(GetParam().name) + suffix);
    if (campaign == nullptr) return "there is no campaign " + suffix;
    const CampaignTotals totals =
        campaign->run({.first_seed = 1, .amount = repetitions(seeds), .until_failure = false, .by_case = true});
    std::string all;
    for (const CampaignFailure& failure : totals.failures)
      all += failure.replay + ": " + failure.what + " (" + failure.setup + ")\n";
    return all;
  }
};

TEST_P(EveryLayer, answers_random_requests_as_an_oracle_does_at_every_size_and_after_mounts) {
  EXPECT_EQ(failures_of("+fullest", kSizes), "");
}

TEST_P(EveryLayer, keeps_what_it_acknowledged_whichever_change_power_is_lost_at) {
  EXPECT_EQ(failures_of("+every-change", 2), "");
}

TEST_P(EveryLayer, keeps_what_it_acknowledged_through_power_losses_of_power_losses) {
  EXPECT_EQ(failures_of("", kSeeds), "");
}

TEST_P(EveryLayer, keeps_what_it_acknowledged_though_segments_fail_and_power_is_lost) {
  EXPECT_EQ(failures_of("+faults", kSeeds), "");
}

TEST_P(EveryLayer, ends_read_only_with_all_data_when_segments_wear_out) { EXPECT_EQ(failures_of("+life", kSeeds), ""); }

TEST_P(EveryLayer, reports_damage_at_rest_wherever_metadata_can_know) {
  EXPECT_EQ(failures_of("+damage", GetParam().damage_kinds), "");
}

INSTANTIATE_TEST_SUITE_P(, EveryLayer, testing::ValuesIn(all_campaigns().begin(), all_campaigns().end()),
                         [](const testing::TestParamInfo<LayerCampaigns>& layer) {
                           std::string name(layer.param.name);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace ftlab::tests
