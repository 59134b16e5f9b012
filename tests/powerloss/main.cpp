// Runs pieces of the campaigns and prints one JSON object for each; tests/powerloss/campaign.py shares the work out,
// adds up and reports.
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "tests/powerloss/all_layers.h"
#include "tests/powerloss/case_id.h"
#include "tests/powerloss/damage.h"
#include "tests/powerloss/end_of_life.h"
#include "tests/powerloss/fullest.h"
#include "tests/powerloss/json_line.h"
#include "tests/powerloss/storm.h"

namespace ftlab::tests {
namespace {

struct Work {
  std::uint64_t first_seed = 0;
  std::uint64_t amount = 0;  ///< losses of a storm, cases of the others
  bool until_failure = false;

  [[nodiscard]] bool goes_on(const CampaignTotals& totals, std::uint64_t done) const {
    return done < amount && !(until_failure && !totals.failures.empty());
  }
};

/// A campaign over one layer: as much of it as asked, or one case of it.
struct Campaign {
  std::string_view suffix;  ///< of the layer's name in case names
  CampaignTotals (*run)(const Work&);
  CampaignTotals (*replay)(const CaseId&);
};

template <class Layer, bool kFaults>
CampaignTotals run_storm(const Work& work) {
  Storm<Layer> storm(kFaults);
  for (std::uint64_t seed = work.first_seed; work.goes_on(storm.totals(), storm.totals().losses); ++seed)
    storm.run(seed);
  return storm.totals();
}

template <class Layer, bool kFaults>
CampaignTotals replay_storm(const CaseId& id) {
  Storm<Layer> storm(kFaults);
  storm.run(id.seed, &id.losses);
  std::printf("%s\n", storm.setup().c_str());
  return storm.totals();
}

template <class Cases>
CampaignTotals run_cases(const Work& work) {
  Cases cases;
  for (std::uint64_t i = 0; work.goes_on(cases.totals(), i); ++i) cases.run(work.first_seed + i);
  return cases.totals();
}

template <class Cases>
CampaignTotals replay_case(const CaseId& id) {
  Cases cases;
  cases.run(id.seed);
  std::printf("%s\n", cases.setup().c_str());
  return cases.totals();
}

constexpr std::size_t kCampaigns = 5;

struct LayerEntry {
  std::string_view name;
  Campaign campaigns[kCampaigns];
};

template <class Layer>
constexpr LayerEntry entry_of() {
  return {Layer::kName,
          {{"", run_storm<Layer, false>, replay_storm<Layer, false>},
           {"+faults", run_storm<Layer, true>, replay_storm<Layer, true>},
           {"+fullest", run_cases<Fullest<Layer>>, replay_case<Fullest<Layer>>},
           {"+life", run_cases<EndOfLife<Layer>>, replay_case<EndOfLife<Layer>>},
           {"+damage", run_cases<DamageAtRest<Layer>>, replay_case<DamageAtRest<Layer>>}}};
}

const std::vector<LayerEntry>& layers() {
  static const std::vector<LayerEntry> all = [] {
    std::vector<LayerEntry> made;
    Layers::for_each([&made]<class Layer>() { made.push_back(entry_of<Layer>()); });
    return made;
  }();
  return all;
}

const Campaign* find_campaign(std::string_view name) {
  for (const LayerEntry& layer : layers())
    for (const Campaign& campaign : layer.campaigns)
      if (name.starts_with(layer.name) && name.substr(layer.name.size()) == campaign.suffix) return &campaign;
  return nullptr;
}

int usage() {
  std::fputs(
      "usage: ftlab-campaign layers\n"
      "       ftlab-campaign run LAYER[+faults|+fullest|+life|+damage] FIRST-SEED LOSSES-OR-CASES [until-failure]\n"
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
    for (const LayerEntry& layer : layers()) std::printf("%s\n", std::string(layer.name).c_str());
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
