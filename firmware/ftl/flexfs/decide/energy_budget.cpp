// The prediction is linear in the share.
#include "firmware/ftl/flexfs/decide/energy_budget.h"

namespace ftlab::flexfs {
namespace {

struct PageCosts {
  std::uint64_t direct;  ///< to the MLC region at once
  std::uint64_t slc;     ///< to the SLC region, migrations included
};

PageCosts costs_of(const EnergyCosts& costs, SlotCounts slots, Q16 migrating) {
  const std::uint64_t direct = std::uint64_t{costs.mlc_program_nj} + costs.erase_nj / slots.mlc;
  return {direct,
          std::uint64_t{costs.slc_program_nj} + costs.erase_nj / slots.slc + scaled(costs.read_nj + direct, migrating)};
}

}  // namespace

std::uint64_t predicted_energy_nj(const EnergyCosts& costs, SlotCounts slots, std::uint64_t pages, Q16 share,
                                  Q16 migrating) {
  const PageCosts cost = costs_of(costs, slots, migrating);
  return scaled(pages * cost.slc, share) + scaled(pages * cost.direct, kOne - share);
}

Q16 share_within(const EnergyCosts& costs, SlotCounts slots, std::uint64_t pages, Q16 migrating,
                 std::uint64_t budget_nj) {
  if (budget_nj == 0) return kOne;
  const PageCosts cost = costs_of(costs, slots, migrating);
  // Hot data that never migrates makes the SLC region the cheaper one: the budget then asks for nothing.
  if (cost.slc <= cost.direct) return kOne;
  if (budget_nj <= pages * cost.direct) return 0;
  return fraction(budget_nj - pages * cost.direct, pages * (cost.slc - cost.direct));
}

std::uint64_t spent_energy_nj(const EnergyCosts& costs, std::uint64_t slc_programs, std::uint64_t mlc_programs,
                              std::uint64_t copies, std::uint64_t erases) {
  return slc_programs * costs.slc_program_nj + mlc_programs * costs.mlc_program_nj + copies * costs.read_nj +
         erases * costs.erase_nj;
}

std::uint64_t owed_energy_nj(const EnergyCosts& costs, SlotCounts slots, std::uint64_t pages, std::uint64_t segments,
                             Q16 migrating) {
  const std::uint64_t a_page = std::uint64_t{costs.read_nj} + costs.mlc_program_nj + costs.erase_nj / slots.mlc;
  return scaled(pages * a_page, migrating) + segments * costs.erase_nj;
}

std::uint64_t carried_budget_nj(std::uint64_t budget_nj, const EnergyAccount& account) {
  const std::uint64_t in = budget_nj + account.allowed;
  const std::uint64_t out = account.spent + account.owed;
  return in > out ? in - out : 1;
}

}  // namespace ftlab::flexfs
