// One suite for every combination of cleaning policies on both emulated media: invariants after every request, all
// acknowledged data after every mount, counters that balance. Campaigns draw among them and take power away.
#include "tests/fixtures/fms_combinations.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/fixtures/share.h"
#include "tests/powerloss/keeps_all.h"

namespace ftlab::tests {
namespace {

template <class Medium>
class FmsCombinations : public testing::Test {
 protected:
  static void expect_all(const Combinations& seen) {
    EXPECT_EQ(seen.left_out(), "") << "took part in no combination";
    EXPECT_EQ(seen.cramped, "") << "refused for want of space";
    EXPECT_EQ(seen.tried(), fms::selections().size() * fms::redistributions().size() * fms::triggers().size() *
                                fms::wear_levelers().size());
    testing::Test::RecordProperty("accepted", static_cast<int>(seen.accepted));
    testing::Test::RecordProperty("refused", static_cast<int>(seen.tried() - seen.accepted));
  }
};

using Media = testing::Types<EmulatedNor, EmulatedNandMedium>;
TYPED_TEST_SUITE(FmsCombinations, Media, MediumName);

TYPED_TEST(FmsCombinations, keep_data_and_invariants_over_mounts_and_their_counters_balance) {
  Share share;
  this->expect_all(
      for_each_combination<TypeParam>([&](const FmsConfig& config, const TypeParam& medium, const std::string& text) {
        if (!share.takes_next()) return;
        auto flash = medium.make();
        {
          FmsSession first(flash, config);
          ASSERT_EQ(first->config_error(), nullptr) << text;
          ASSERT_EQ(first->format(0), FtlStatus::ok) << text;
        }
        PageOracle oracle(config.logical_pages, config.page_bytes, TypeParam::kRules);
        RandomHost host(11);
        for (const bool flushed : {false, true}) {
          EXPECT_EQ(session_keeps_all<FmsSession>(flash, config, oracle, host, 250, flushed), "") << text;
          flash.power_cycle();
        }
      }));
}

}  // namespace
}  // namespace ftlab::tests
