// The prediction is linear in the share.
#include "firmware/ftl/flexfs/energy_budget.h"

namespace ftlab::flexfs {
namespace {

struct PageCosts {
  std::uint64_t direct;  ///< to the MLC region at once
  std::uint64_t slc;     ///< to the SLC region, migrations included
};

PageCosts costs_of(const EnergyPrices& prices, SlotCounts slots, Q16 migrating) {
  const std::uint64_t direct = std::uint64_t{prices.mlc_program_nj} + prices.erase_nj / slots.mlc;
  return {direct, std::uint64_t{prices.slc_program_nj} + prices.erase_nj / slots.slc +
                      scaled(prices.read_nj + direct, migrating)};
}

}  // namespace

std::uint64_t predicted_energy_nj(const EnergyPrices& prices, SlotCounts slots, std::uint64_t pages, Q16 share,
                                  Q16 migrating) {
  const PageCosts cost = costs_of(prices, slots, migrating);
  return scaled(pages * cost.slc, share) + scaled(pages * cost.direct, kOne - share);
}

Q16 share_within(const EnergyPrices& prices, SlotCounts slots, std::uint64_t pages, Q16 migrating,
                 std::uint64_t budget_nj) {
  if (budget_nj == 0) return kOne;
  const PageCosts cost = costs_of(prices, slots, migrating);
  // Hot data that never migrates makes the SLC region the cheaper one: the budget then asks for nothing.
  if (cost.slc <= cost.direct) return kOne;
  if (budget_nj <= pages * cost.direct) return 0;
  return fraction(budget_nj - pages * cost.direct, pages * (cost.slc - cost.direct));
}

std::uint64_t spent_energy_nj(const EnergyPrices& prices, std::uint64_t slc_programs, std::uint64_t mlc_programs,
                              std::uint64_t copies, std::uint64_t erases) {
  return slc_programs * prices.slc_program_nj + mlc_programs * prices.mlc_program_nj + copies * prices.read_nj +
         erases * prices.erase_nj;
}

std::uint64_t owed_energy_nj(const EnergyPrices& prices, SlotCounts slots, std::uint64_t pages, std::uint64_t segments,
                             Q16 migrating) {
  const std::uint64_t a_page = std::uint64_t{prices.read_nj} + prices.mlc_program_nj + prices.erase_nj / slots.mlc;
  return scaled(pages * a_page, migrating) + segments * prices.erase_nj;
}

std::uint64_t carried_budget_nj(std::uint64_t budget_nj, const EnergyAccount& account) {
  const std::uint64_t in = budget_nj + account.allowed;
  const std::uint64_t out = account.spent + account.owed;
  return in > out ? in - out : 1;
}

}  // namespace ftlab::flexfs
