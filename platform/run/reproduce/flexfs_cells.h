// Runs of the FlexFS paper's scenarios, and what is read off their timelines.
#pragma once

#include <string>
#include <vector>

#include "hw/spec/toml_file.h"
#include "platform/run/reproduce/experiment.h"

namespace ftlab::platform {

/// platform/reference/flexfs.toml
spec::TomlFile flexfs_reference();

/// One run: scheme on scenario, with whatever the experiment adds. Labels are for people.
struct FlexFsRun {
  std::string label;
  std::string scheme;
  std::string scenario;
  std::vector<Setting> more;
};

/// The paper's machine: 4 Gb Flex-OneNAND calibrated by Table 1, OMAP2420, thresholds of section 5.1.1.
std::vector<Setting> flexfs_settings(const FlexFsRun& run);

/// Documents run by run, in each the seeds of the context.
std::vector<std::vector<nlohmann::ordered_json>> run_flexfs(ExperimentContext& context,
                                                            const std::vector<FlexFsRun>& runs);

/// Write throughput against use of the flash memory: one point for each MiB written.
struct ThroughputCurve {
  std::vector<double> used;   ///< percent of all pages of the partition that hold valid data
  std::vector<double> rate;   ///< bytes written / time spent serving writes, MB/s
  std::vector<double> alpha;  ///< at the end of the MiB
  double overall = 0;         ///< of the whole run, MB/s
};
/// `partition_pages`: pages of the partition, all counted.
ThroughputCurve throughput_curve(const nlohmann::ordered_json& document, double partition_pages);

/// Where the rate has fallen below `share` of its mean over the first tenth, for good or for `points` points on end;
/// the use at the first of them. 100 when it never does.
double collapse_at(const ThroughputCurve& curve, double share, std::size_t points);

/// Use from which on `a` stays below `b` for `points` points on end; 100 when that never happens.
double crossing_of(const ThroughputCurve& a, const ThroughputCurve& b, std::size_t points);

/// Mean rate between two uses, MB/s; 0 when the curve has no point there.
double mean_rate(const ThroughputCurve& curve, double from_used, double to_used);

/// f of every document of a run.
template <class F>
std::vector<double> each(const std::vector<nlohmann::ordered_json>& documents, F&& f) {
  std::vector<double> values;
  values.reserve(documents.size());
  for (const auto& document : documents) values.push_back(f(document));
  return values;
}

/// A value that the paper leaves open: its key and the settings that make it 20 % smaller and larger.
struct FreeValue {
  std::string name;
  std::vector<Setting> lower;
  std::vector<Setting> higher;
};

/// A study key whose default the experiments use, scaled by 0.8 and 1.2; whole numbers are rounded away from it.
FreeValue free_choice(const std::string& key);
/// A price of the experiments' host, work.NAME of its file, likewise.
FreeValue free_price(const std::string& work);

/// What the scenario marks as free, counts and sizes of requests rounded to whole ones. Values of the same name in
/// several of its tables are one value: they are lowered and raised together.
std::vector<FreeValue> scenario_values(const std::string& scenario);

/// The run with each value lowered and raised by 20 %, one at a time; labels say which.
std::vector<FlexFsRun> varied(const FlexFsRun& run, const std::vector<FreeValue>& values);

}  // namespace ftlab::platform
