// One suite for every combination of cleaning policies on both emulated media: invariants after every request, all
// acknowledged data after every mount and power loss, counters that balance.
#include "tests/fixtures/fms_combinations.h"

#include <gtest/gtest.h>

#include <string>

#include "firmware/base/random.h"
#include "tests/fixtures/fms_power_loss.h"
#include "tests/fixtures/fms_properties.h"
#include "tests/fixtures/host_script.h"
#include "tests/fixtures/share.h"

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

  /// For each combination so often: at a drawn change and inside a drawn erase, every third time in the recovery, too.
  static void lose_power(std::uint32_t times) {
    Random random(2);
    const auto torn = [&random] { return kTornWrites[random.below(std::size(kTornWrites))]; };
    Share share;
    expect_all(for_each_combination<Medium>([&](const FmsConfig& config, const Medium& medium,
                                                const std::string& text) {
      if (!share.takes_next()) return;
      SCOPED_TRACE(text);
      const FmsPowerLosses<Medium> losses(config, medium);
      const auto start = losses.start_after(random.next(), 150);
      for (std::uint32_t i = 0; i < times; ++i) {
        const std::uint64_t again = random.below(3) == 0 ? 1 + random.below(4) : 0;
        const PowerLossAt change{1 + random.below(200), false, torn(), again};
        const PowerLossAt erase{1 + random.below(4), true, torn(), again};
        for (const PowerLossAt& loss : {change, erase})
          EXPECT_TRUE(losses.lose_power_and_recover(start, 300, loss)) << "not lost, or not recovered: " << loss.id();
      }
    }));
  }
};

struct MediumName {
  template <class Medium>
  static std::string GetName(int) {
    return Medium::kName;
  }
};
using Media = testing::Types<EmulatedNor, EmulatedNandMedium>;
TYPED_TEST_SUITE(FmsCombinations, Media, MediumName);

TYPED_TEST(FmsCombinations, keep_data_and_invariants_over_mounts_and_their_counters_balance) {
  this->expect_all(
      for_each_combination<TypeParam>([](const FmsConfig& config, const TypeParam& medium, const std::string& text) {
        auto flash = medium.make();
        FmsSession first(flash, config);
        ASSERT_EQ(first->config_error(), nullptr) << text;
        ASSERT_EQ(first->format(0), FtlStatus::ok) << text;
        Oracle oracle = medium.oracle(*first);
        HostScript host(11, first->capacity_bytes(), config.page_bytes);
        EXPECT_EQ(remounts_keep_all(flash, config, host, oracle, {2, 250, false}), "") << text;
      }));
}

TYPED_TEST(FmsCombinations, lose_nothing_acknowledged_when_power_is_lost_at_a_change_and_inside_an_erase) {
  this->lose_power(1);
}

TYPED_TEST(FmsCombinations, lose_nothing_acknowledged_wherever_power_is_lost) { this->lose_power(25); }

}  // namespace
}  // namespace ftlab::tests
