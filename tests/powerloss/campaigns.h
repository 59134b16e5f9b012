// The campaigns over each layer of layers.txt, by name: the campaign program and the tests of the kit run them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "tests/powerloss/case_id.h"
#include "tests/powerloss/totals.h"

namespace ftlab::tests {

struct CampaignWork {
  std::uint64_t first_seed = 0;
  std::uint64_t amount = 0;  ///< losses of a storm, cases of the others
  bool until_failure = false;
  bool by_case = false;  ///< a storm's amount is cases, too

  [[nodiscard]] bool goes_on(const CampaignTotals& totals, std::uint64_t done) const {
    return done < amount && !(until_failure && !totals.failures.empty());
  }
};

/// A campaign over one layer: as much of it as asked, or one case of it.
struct Campaign {
  std::string_view suffix;  ///< of the layer's name in case names
  CampaignTotals (*run)(const CampaignWork&);
  CampaignTotals (*replay)(const CaseId&);  ///< prints the case's setup
};

struct LayerCampaigns {
  std::string_view name;
  std::size_t damage_kinds;
  std::span<const Campaign> campaigns;
};

[[nodiscard]] std::span<const LayerCampaigns> all_campaigns();

/// "fms-nor+faults"; null when there is none.
[[nodiscard]] const Campaign* find_campaign(std::string_view name);

}  // namespace ftlab::tests
