#include "tests/powerloss/campaigns.h"

#include <cstdio>
#include <iterator>
#include <vector>

#include "tests/powerloss/all_layers.h"
#include "tests/powerloss/damage.h"
#include "tests/powerloss/end_of_life.h"
#include "tests/powerloss/fullest.h"
#include "tests/powerloss/storm.h"

namespace ftlab::tests {
namespace {

template <class Cases>
CampaignTotals run_all(Cases&& cases, const CampaignWork& work) {
  std::uint64_t done = 0;
  for (std::uint64_t seed = work.first_seed; work.goes_on(cases.totals(), done); ++seed) {
    cases.run(seed);
    done = work.by_case ? done + 1 : cases.totals().losses;
  }
  return cases.totals();
}

template <class Layer, bool kFaults>
CampaignTotals run_storm(const CampaignWork& work) {
  return run_all(Storm<Layer>(kFaults), work);
}

template <class Layer>
CampaignTotals run_every_change(const CampaignWork& work) {
  return run_all(Storm<Layer>(false, Storm<Layer>::At::every_change), work);
}

template <class Layer, bool kFaults>
CampaignTotals replay_storm(const CaseId& id) {
  Storm<Layer> storm(kFaults);
  storm.run(id.seed, &id.losses);
  std::printf("%s\n", storm.setup().c_str());
  return storm.totals();
}

template <class Cases>
CampaignTotals run_cases(const CampaignWork& work) {
  CampaignWork cases = work;
  cases.by_case = true;
  return run_all(Cases(), cases);
}

template <class Cases>
CampaignTotals replay_case(const CaseId& id) {
  Cases cases;
  cases.run(id.seed);
  std::printf("%s\n", cases.setup().c_str());
  return cases.totals();
}

template <class Layer>
constexpr Campaign kCampaigns[] = {
    {"", run_storm<Layer, false>, replay_storm<Layer, false>},
    {"+faults", run_storm<Layer, true>, replay_storm<Layer, true>},
    {"+every-change", run_every_change<Layer>, replay_storm<Layer, false>},
    {"+fullest", run_cases<Fullest<Layer>>, replay_case<Fullest<Layer>>},
    {"+life", run_cases<EndOfLife<Layer>>, replay_case<EndOfLife<Layer>>},
    {"+damage", run_cases<DamageAtRest<Layer>>, replay_case<DamageAtRest<Layer>>},
};

}  // namespace

std::span<const LayerCampaigns> all_campaigns() {
  static const std::vector<LayerCampaigns> all = [] {
    std::vector<LayerCampaigns> made;
    Layers::for_each([&made]<class Layer>() {
      made.push_back({Layer::kName, std::size(Layer::kDamages), kCampaigns<Layer>});
    });
    return made;
  }();
  return all;
}

const Campaign* find_campaign(std::string_view name) {
  for (const LayerCampaigns& layer : all_campaigns())
    for (const Campaign& campaign : layer.campaigns)
      if (name.starts_with(layer.name) && name.substr(layer.name.size()) == campaign.suffix) return &campaign;
  return nullptr;
}

}  // namespace ftlab::tests
