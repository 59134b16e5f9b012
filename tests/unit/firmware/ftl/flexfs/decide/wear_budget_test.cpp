// Eq. 7 to 9 of the FlexFS paper, where the medium takes 1.2 GB in ten windows of 400 s.
#include "firmware/ftl/flexfs/decide/wear_budget.h"

#include <gtest/gtest.h>

namespace ftlab::flexfs {
namespace {

constexpr std::uint64_t kMegabyte = 1'000'000;
constexpr std::uint64_t kWindow = 400'000'000'000;

TEST(WearBudget, rest_is_shared_among_the_windows_left) {
  EXPECT_EQ(WearBudget::budget_of(1200, 0, 10, 0), 120U);
  EXPECT_EQ(WearBudget::budget_of(1200, 600, 10, 4), 100U);
  EXPECT_EQ(WearBudget::budget_of(1200, 1300, 10, 4), 0U);
  EXPECT_EQ(WearBudget::budget_of(1200, 1000, 10, 12), 200U) << "past its lifetime the medium may be used up";
}

TEST(WearBudget, index_spends_the_budget_exactly) {
  const std::uint64_t unit = 1 << 20;
  EXPECT_EQ(WearBudget::index_of(120 * unit, 40 * unit), kOne);
  EXPECT_EQ(WearBudget::index_of(2 * unit, unit), kOne / 2);  // Figure 8(b): 512 KB in, 1 MB used
  EXPECT_EQ(WearBudget::index_of(unit, unit), 0U);            // Figure 8(c)
  EXPECT_EQ(WearBudget::index_of(unit / 2, unit), 0U);
  EXPECT_EQ(WearBudget::index_of(0, 0), kOne);
}

TEST(WearBudget, the_first_window_has_its_share_from_the_start) {
  WearBudget budget;
  budget.configure(kWindow, 10);
  budget.resume(0, 1200 * kMegabyte, 0);
  EXPECT_EQ(budget.budget(), 120 * kMegabyte);
  budget.advance(kWindow / 2, 1200 * kMegabyte, 30 * kMegabyte);
  EXPECT_EQ(budget.budget(), 120 * kMegabyte) << "Eq. 7 holds at the start of a window";
  EXPECT_EQ(budget.delta(), kOne);
}

TEST(WearBudget, silent_windows_count_as_no_data) {
  WearBudget budget;
  budget.configure(kWindow, 100);
  budget.add_incoming(90 * kMegabyte);
  budget.advance(2 * kWindow, 9'900 * kMegabyte, 0);
  // Two windows have passed, one of them without a request: IW is (90 + 0) / 2.
  EXPECT_EQ(budget.window(), 2U);
  EXPECT_NEAR(budget.delta(), WearBudget::index_of(9'900 * kMegabyte / 98, 45 * kMegabyte), 1);
  budget.advance(50 * kWindow, 9'900 * kMegabyte, 0);
  EXPECT_EQ(budget.delta(), kOne);
}

TEST(WearBudget, an_exhausted_medium_gets_no_slc_data) {
  WearBudget budget;
  budget.configure(kWindow, 10);
  budget.add_incoming(kMegabyte);
  budget.advance(kWindow, 1200 * kMegabyte, 1200 * kMegabyte);
  EXPECT_EQ(budget.delta(), 0U);
}

TEST(WearBudget, after_a_mount_an_even_use_of_the_lifetime_is_the_measure) {
  WearBudget budget;
  budget.configure(kWindow, 10);
  budget.resume(5 * kWindow + kWindow / 2, 1200 * kMegabyte, 650 * kMegabyte);
  EXPECT_EQ(budget.budget(), 110 * kMegabyte);
  EXPECT_EQ(budget.window(), 5U);
  EXPECT_EQ(budget.delta(), kOne) << "660 MB would be even";
  budget.advance(5 * kWindow + kWindow / 2 + 1, 1200 * kMegabyte, 661 * kMegabyte);
  EXPECT_EQ(budget.delta(), 0U);
  budget.advance(5 * kWindow + 3 * kWindow / 4, 1200 * kMegabyte, 661 * kMegabyte);
  EXPECT_EQ(budget.delta(), kOne) << "time has caught up";
}

TEST(WearBudget, after_a_mount_eq_9_waits_for_a_whole_window) {
  WearBudget budget;
  budget.configure(kWindow, 10);
  budget.resume(5 * kWindow + 7, 1200 * kMegabyte, 700 * kMegabyte);
  budget.add_incoming(60 * kMegabyte);  // of a window seen in part
  budget.advance(6 * kWindow, 1200 * kMegabyte, 719 * kMegabyte);
  EXPECT_EQ(budget.delta(), kOne);
  budget.add_incoming(80 * kMegabyte);
  budget.advance(7 * kWindow, 1200 * kMegabyte, 900 * kMegabyte);
  EXPECT_NEAR(budget.delta(), WearBudget::index_of(100 * kMegabyte, 80 * kMegabyte), 1);
}

TEST(WearBudget, power_cycles_cannot_spend_it_twice) {
  for (const std::uint64_t sessions_a_window : {1U, 2U, 5U}) {
    constexpr std::uint64_t kEndurance = 1200 * kMegabyte;
    constexpr std::uint64_t kSteps = 100;  // of a window
    std::uint64_t used = 0;
    for (std::uint64_t session = 0; session < 10 * sessions_a_window; ++session) {
      WearBudget budget;
      budget.configure(kWindow, 10);
      const std::uint64_t begin = session * kWindow / sessions_a_window;
      budget.resume(begin, kEndurance, used);
      for (std::uint64_t step = 0; step < kSteps / sessions_a_window; ++step) {
        budget.advance(begin + step * kWindow / kSteps, kEndurance, used);
        // Four times what the budget bears with delta = 1, and less than it bears with delta = 0.
        const std::uint64_t in = 100 * kMegabyte / kSteps;
        budget.add_incoming(in);
        used += in + scaled(2 * in, budget.delta());
      }
    }
    EXPECT_LE(used, kEndurance + 3 * kMegabyte) << sessions_a_window;  // one step beyond the pace
    EXPECT_GT(used, kEndurance * 9 / 10) << sessions_a_window;
  }
}

}  // namespace
}  // namespace ftlab::flexfs
