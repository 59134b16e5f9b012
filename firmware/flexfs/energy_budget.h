// The share of pages for the SLC region that an energy budget allows. Beyond the FlexFS paper, which names it as an
// open question (section 7): a page that goes to the SLC region first is programmed twice, read once, and erased twice.
// Prices are the part's; knows no measurement and no time.
#pragma once

#include <cstdint>

#include "firmware/flexfs/flexfs_config.h"
#include "firmware/flexfs/fraction.h"

namespace ftlab::flexfs {

/// Slots of a segment by region.
struct SlotCounts {
  std::uint32_t slc = 1;
  std::uint32_t mlc = 1;
};

/// Nanojoules that `pages` host pages will have cost once migrated, when `share` of them goes to the SLC region and
/// `migrating` of those move on to the MLC region.
[[nodiscard]] std::uint64_t predicted_energy_nj(const EnergyPrices& prices, SlotCounts slots, std::uint64_t pages,
                                                Q16 share, Q16 migrating);

/// The largest share whose predicted energy stays within `budget_nj`; 0 when none does. 1 without a budget (0).
[[nodiscard]] Q16 share_within(const EnergyPrices& prices, SlotCounts slots, std::uint64_t pages, Q16 migrating,
                               std::uint64_t budget_nj);

}  // namespace ftlab::flexfs
