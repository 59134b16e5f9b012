#include "firmware/ftl/flexfs/decide/energy_budget.h"

#include <gtest/gtest.h>

namespace ftlab::flexfs {
namespace {

constexpr EnergyCosts kCosts{.slc_program_nj = 10'000, .mlc_program_nj = 40'000, .read_nj = 4'000, .erase_nj = 64'000};
constexpr SlotCounts kSlots{.slc = 64, .mlc = 128};
constexpr std::uint64_t kPages = 256;  // a MiB

TEST(EnergyBudget, direct_pages_cost_one_program_and_their_share_of_an_erase) {
  EXPECT_EQ(predicted_energy_nj(kCosts, kSlots, kPages, 0, kOne), kPages * 40'500);
}

TEST(EnergyBudget, pages_by_way_of_slc_cost_both_programs_a_read_and_two_erases) {
  EXPECT_EQ(predicted_energy_nj(kCosts, kSlots, kPages, kOne, kOne), kPages * (11'000 + 4'000 + 40'500));
}

TEST(EnergyBudget, the_share_found_uses_the_budget_up) {
  const std::uint64_t budget = kPages * 48'000;
  const Q16 share = share_within(kCosts, kSlots, kPages, kOne, budget);
  EXPECT_NEAR(share / 65536.0, 0.5, 0.001);
  EXPECT_NEAR(static_cast<double>(predicted_energy_nj(kCosts, kSlots, kPages, share, kOne)),
              static_cast<double>(budget), 500);
}

TEST(EnergyBudget, without_a_budget_nothing_is_limited) {
  EXPECT_EQ(share_within(kCosts, kSlots, kPages, kOne, 0), kOne);
}

TEST(EnergyBudget, a_budget_that_cannot_be_met_leaves_the_cheaper_region) {
  EXPECT_EQ(share_within(kCosts, kSlots, kPages, kOne, 1), 0U);
  // Data that stays in SLC never pays for an MLC program.
  EXPECT_EQ(share_within(kCosts, kSlots, kPages, 0, 1), kOne);
}

TEST(EnergyBudget, data_that_migrates_less_may_fill_slc_more) {
  const std::uint64_t budget = kPages * 48'000;
  EXPECT_GT(share_within(kCosts, kSlots, kPages, kOne * 9 / 10, budget),
            share_within(kCosts, kSlots, kPages, kOne, budget));
}

TEST(EnergyBudget, what_lies_in_slc_owes_its_migration_and_the_erases_after_it) {
  EXPECT_EQ(owed_energy_nj(kCosts, kSlots, 100, 2, kOne), 100U * (4'000 + 40'500) + 2 * 64'000);
  EXPECT_EQ(owed_energy_nj(kCosts, kSlots, 100, 2, 0), 2U * 64'000) << "hot pages stay";
}

TEST(EnergyBudget, spent_is_every_operation_at_its_cost) {
  EXPECT_EQ(spent_energy_nj(kCosts, 3, 5, 7, 2), 30'000U + 200'000 + 28'000 + 128'000);
}

TEST(EnergyBudget, what_is_left_over_or_overdrawn_goes_to_the_next_pages) {
  EXPECT_EQ(carried_budget_nj(1000, {.allowed = 500, .spent = 300, .owed = 100}), 1100U);
  EXPECT_EQ(carried_budget_nj(1000, {.allowed = 500, .spent = 900, .owed = 100}), 500U);
  EXPECT_EQ(carried_budget_nj(1000, {.allowed = 500, .spent = 9000, .owed = 0}), 1U) << "0 would mean no budget";
}

}  // namespace
}  // namespace ftlab::flexfs
