// Runs pieces of the campaigns and prints one JSON object for each; tests/powerloss/campaign.py shares the work out,
// adds up and reports.
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include "tests/powerloss/case_id.h"
#include "tests/powerloss/json_line.h"
#include "tests/powerloss/layers/flexfs_nand.h"
#include "tests/powerloss/layers/fms_nand.h"
#include "tests/powerloss/layers/fms_nor.h"
#include "tests/powerloss/storm.h"

namespace ftlab::tests {
namespace {

constexpr std::string_view kFaults = "+faults";

struct Work {
  std::uint64_t first_seed = 0;
  std::uint64_t amount = 0;
};

template <class Layer>
StormTotals storm(bool faults, const Work& work) {
  Storm<Layer> storm(faults);
  for (std::uint64_t seed = work.first_seed; storm.totals().losses < work.amount; ++seed) storm.run(seed);
  return storm.totals();
}

template <class Layer>
StormTotals replay(bool faults, const CaseId& id) {
  Storm<Layer> storm(faults);
  storm.run(id.seed, &id.losses);
  std::printf("%s\n", storm.setup().c_str());
  return storm.totals();
}

/// A layer to run campaigns over: one line here.
struct LayerEntry {
  const char* name;
  StormTotals (*storm)(bool faults, const Work& work);
  StormTotals (*replay)(bool faults, const CaseId& id);
};

template <class Layer>
constexpr LayerEntry entry_of() {
  return {Layer::kName, storm<Layer>, replay<Layer>};
}

constexpr LayerEntry kLayers[] = {
    entry_of<FmsOnNor>(),
    entry_of<FmsOnNand>(),
    entry_of<FlexFsOnNand>(),
};

const LayerEntry* find_layer(std::string_view name) {
  for (const LayerEntry& layer : kLayers)
    if (name == layer.name) return &layer;
  return nullptr;
}

/// "LAYER" or "LAYER+faults".
const LayerEntry* find_layer(std::string_view name, bool& faults) {
  faults = name.ends_with(kFaults);
  if (faults) name.remove_suffix(kFaults.size());
  return find_layer(name);
}

int usage() {
  std::fputs(
      "usage: ftlab-campaign layers\n"
      "       ftlab-campaign storm LAYER[+faults] FIRST-SEED LOSSES\n"
      "       ftlab-campaign replay CASE\n",
      stderr);
  return 2;
}

int run_replay(std::string_view text) {
  const auto id = parse_case(text);
  bool faults = false;
  const LayerEntry* layer = id ? find_layer(id->layer, faults) : nullptr;
  if (layer == nullptr) return usage();
  const StormTotals totals = layer->replay(faults, *id);
  for (const StormFailure& failure : totals.failures)
    std::printf("%s: %s\n", failure.replay.c_str(), failure.what.c_str());
  if (totals.failures.empty()) std::puts("nothing lost, nothing stuck");
  return totals.failures.empty() ? 0 : 1;
}

int run_storm(int argc, char** argv) {
  bool faults = false;
  const LayerEntry* layer = find_layer(argv[2], faults);
  const auto first = number_in(argv[3]);
  const auto amount = argc == 5 ? number_in(argv[4]) : std::nullopt;
  if (layer == nullptr || !first || !amount) return usage();
  print(layer->storm(faults, {*first, *amount}));
  return 0;
}

int run(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  if (what == "layers") {
    for (const LayerEntry& layer : kLayers) std::puts(layer.name);
    return 0;
  }
  if (what == "replay" && argc == 3) return run_replay(argv[2]);
  if (what == "storm" && argc == 5) return run_storm(argc, argv);
  return usage();
}

}  // namespace
}  // namespace ftlab::tests

int main(int argc, char** argv) { return ftlab::tests::run(argc, argv); }
