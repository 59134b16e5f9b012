// The share of pages for the SLC region that an energy budget allows. Beyond the FlexFS paper, which names it as an
// open question (section 7): a page that goes to the SLC region first is programmed twice, read once, and erased twice.
// Costs are the part's. The prediction knows no cleaning and no checkpoints: what these cost comes off the budget of
// later pages. Knows no time.
#pragma once

#include <cstdint>

#include "firmware/ftl/flexfs/decide/fraction.h"
#include "firmware/ftl/flexfs/flexfs_config.h"

namespace ftlab::flexfs {

/// Slots of a segment by region.
struct SlotCounts {
  std::uint32_t slc = 1;
  std::uint32_t mlc = 1;
};

/// Nanojoules that `pages` host pages will have cost once migrated, when `share` of them goes to the SLC region and
/// `migrating` of those move on to the MLC region.
[[nodiscard]] std::uint64_t predicted_energy_nj(const EnergyCosts& costs, SlotCounts slots, std::uint64_t pages,
                                                Q16 share, Q16 migrating);

/// The largest share whose predicted energy stays within `budget_nj`; 0 when none does. 1 without a budget (0).
[[nodiscard]] Q16 share_within(const EnergyCosts& costs, SlotCounts slots, std::uint64_t pages, Q16 migrating,
                               std::uint64_t budget_nj);

/// What was spent and is still owed for the host pages so far, and what the budget allowed for them. Nanojoules.
struct EnergyAccount {
  std::uint64_t allowed = 0;
  std::uint64_t spent = 0;  ///< programs, copies and erases, whatever for
  std::uint64_t owed = 0;   ///< migration of what lies in the SLC region now, and the erases after it
};

/// Programs so far, with their costs; `copies` are page reads for migration, cleaning and the like.
[[nodiscard]] std::uint64_t spent_energy_nj(const EnergyCosts& costs, std::uint64_t slc_programs,
                                            std::uint64_t mlc_programs, std::uint64_t copies, std::uint64_t erases);
/// `pages` valid pages in `segments` of the SLC region, `migrating` of which move on.
[[nodiscard]] std::uint64_t owed_energy_nj(const EnergyCosts& costs, SlotCounts slots, std::uint64_t pages,
                                           std::uint64_t segments, Q16 migrating);
/// What the next pages may cost whose own budget is `budget_nj`: what the pages before left over comes on top, what
/// they cost too much comes off. At least 1, which no page is.
[[nodiscard]] std::uint64_t carried_budget_nj(std::uint64_t budget_nj, const EnergyAccount& account);

}  // namespace ftlab::flexfs
