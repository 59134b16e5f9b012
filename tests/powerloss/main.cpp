// Runs pieces of the campaigns and prints one JSON object for each; tests/powerloss/campaign.py shares the work out,
// adds up and reports.
#include <cstdio>
#include <string>
#include <string_view>

#include "tests/powerloss/campaigns.h"
#include "tests/powerloss/case_id.h"
#include "tests/powerloss/json_line.h"

namespace ftlab::tests {
namespace {

int usage() {
  std::fputs(
      "usage: ftlab-campaign layers\n"
      "       ftlab-campaign run LAYER[+faults|+every-change|+fullest|+life|+damage] FIRST-SEED LOSSES-OR-CASES "
      "[until-failure]\n"
      "       ftlab-campaign replay CASE\n",
      stderr);
  return 2;
}

int run_replay(std::string_view text) {
  const auto id = parse_case(text);
  const Campaign* campaign = id ? find_campaign(id->layer) : nullptr;
  if (campaign == nullptr) return usage();
  const CampaignTotals totals = campaign->replay(*id);
  for (const CampaignFailure& failure : totals.failures)
    std::printf("%s: %s\n", failure.replay.c_str(), failure.what.c_str());
  if (totals.failures.empty()) std::puts("nothing lost, no volume unusable");
  return totals.failures.empty() ? 0 : 1;
}

int run_piece(std::string_view name, std::string_view first_seed, std::string_view amount, bool until_failure) {
  const Campaign* campaign = find_campaign(name);
  const auto first = number_in(first_seed);
  const auto wanted = number_in(amount);
  if (campaign == nullptr || !first || !wanted) return usage();
  print(campaign->run({*first, *wanted, until_failure}));
  return 0;
}

int run(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  if (what == "layers") {
    for (const LayerCampaigns& layer : all_campaigns()) std::printf("%s\n", std::string(layer.name).c_str());
    return 0;
  }
  if (what == "replay" && argc == 3) return run_replay(argv[2]);
  const bool until_failure = argc == 6 && std::string_view(argv[5]) == "until-failure";
  if (what == "run" && (argc == 5 || until_failure)) return run_piece(argv[2], argv[3], argv[4], until_failure);
  return usage();
}

}  // namespace
}  // namespace ftlab::tests

int main(int argc, char** argv) { return ftlab::tests::run(argc, argv); }
