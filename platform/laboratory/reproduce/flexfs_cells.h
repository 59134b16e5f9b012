// Runs of the FlexFS paper's scenarios, and what is read off their timelines.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/toml/toml_file.h"
#include "platform/laboratory/reproduce/experiment.h"
#include "platform/laboratory/reproduce/sensitivity.h"

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
                                                            const std::vector<FlexFsRun>& runs, Keep keep = Keep::yes);

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

/// All that is open about a run: keys of the firmware, its host's and its scenario's numbers.
std::vector<UnpublishedParameter> open_values(const FlexFsRun& run);

/// Rows of an experiment from its documents, run by run.
using RowsOf = std::function<nlohmann::ordered_json(const std::vector<std::vector<nlohmann::ordered_json>>&)>;
/// The same rows from the runs with changes.
RowsUnder rows_under(std::vector<FlexFsRun> runs, RowsOf rows_of);

}  // namespace ftlab::platform
