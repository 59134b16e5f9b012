// What every translation layer must do on every medium: the rows of tests/powerloss/layers.txt. A case that fails
// prints what `ftlab-campaign replay` repeats.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "tests/powerloss/all_layers.h"
#include "tests/powerloss/damage.h"
#include "tests/powerloss/end_of_life.h"
#include "tests/powerloss/fullest.h"
#include "tests/powerloss/storm.h"

namespace ftlab::tests {
namespace {

std::string failures_of(const CampaignTotals& totals) {
  std::string all;
  for (const CampaignFailure& failure : totals.failures)
    all += failure.replay + ": " + failure.what + " (" + failure.setup + ")\n";
  return all;
}

template <class Cases>
std::string run_cases(Cases&& cases, std::uint64_t first_seed, std::uint64_t count) {
  for (std::uint64_t seed = first_seed; seed < first_seed + count; ++seed) cases.run(seed);
  return failures_of(cases.totals());
}

template <class Layer>
class EveryLayer : public testing::Test {};

/// Tests are named after the layer.
struct LayerNames {
  template <class Layer>
  static std::string GetName(int) {
    std::string name = Layer::kName;
    std::ranges::replace(name, '-', '_');
    return name;
  }
};
TYPED_TEST_SUITE(EveryLayer, Layers::As<testing::Types>, LayerNames);

TYPED_TEST(EveryLayer, answers_random_requests_as_an_oracle_does_at_every_size_and_after_mounts) {
  EXPECT_EQ(run_cases(Fullest<TypeParam>(), 1, 15), "");
}

TYPED_TEST(EveryLayer, keeps_what_it_acknowledged_whichever_change_power_is_lost_at) {
  EXPECT_EQ(run_cases(Storm<TypeParam>(false, Storm<TypeParam>::At::every_change), 1, 3), "");
}

TYPED_TEST(EveryLayer, keeps_what_it_acknowledged_through_power_losses_of_power_losses) {
  EXPECT_EQ(run_cases(Storm<TypeParam>(false), 1, 15), "");
}

TYPED_TEST(EveryLayer, keeps_what_it_acknowledged_though_segments_fail_and_power_is_lost) {
  EXPECT_EQ(run_cases(Storm<TypeParam>(true), 1, 15), "");
}

TYPED_TEST(EveryLayer, ends_read_only_with_all_data_when_segments_wear_out) {
  EXPECT_EQ(run_cases(EndOfLife<TypeParam>(), 1, 10), "");
}

TYPED_TEST(EveryLayer, reports_damage_at_rest_wherever_metadata_can_know) {
  EXPECT_EQ(run_cases(DamageAtRest<TypeParam>(), 1, 4 * std::size(TypeParam::kDamages)), "");
}

}  // namespace
}  // namespace ftlab::tests
