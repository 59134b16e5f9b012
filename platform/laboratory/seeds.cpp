#include "platform/laboratory/seeds.h"

#include <algorithm>

#include "platform/measure/figures.h"
#include "platform/measure/statistics.h"
#include "platform/run/runner.h"
#include "platform/study/json_pointer.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

/// Figures whose spread over seeds is reported: every number that the device or the firmware brought about.
bool spreads(const Figure& figure) {
  const bool number = figure.type == FigureType::number || figure.type == FigureType::integer;
  return number && !figure.path.starts_with("device.") && !figure.path.starts_with("host.");
}

std::size_t count_ended_early(const std::vector<ordered_json>& documents) {
  return static_cast<std::size_t>(std::ranges::count_if(
      documents, [](const ordered_json& document) { return document.at("host").at("ended_early").get<bool>(); }));
}

/// Runs of one study that end differently are no sample of one thing.
ordered_json ensemble_warnings(std::size_t ended, std::size_t runs) {
  ordered_json warnings = ordered_json::array();
  if (ended > 0 && ended < runs) {
    warnings.push_back(
        std::to_string(ended) + " of " + std::to_string(runs) +
        " runs ended early at the device's end of life; means over all of them mix whole and shortened runs");
  }
  return warnings;
}

}  // namespace

ordered_json run_seeds(const Study& study, unsigned seeds, const ProcessPoolOptions& options) {
  std::vector<Job> jobs;
  std::vector<std::uint64_t> used;
  for (unsigned i = 0; i < seeds; ++i) {
    Study one = study;
    one.seed = study.seed + i;
    used.push_back(one.seed);
    jobs.push_back({"seed " + std::to_string(one.seed), [one](const ProgressFn& progress) {
                      return run_study(one, {.ops_log = {}, .progress = progress});
                    }});
  }
  const auto documents = run_jobs(jobs, options);
  ordered_json json = documents.front();
  const ordered_json run = json.at("run");
  json.erase("run");
  ordered_json spread = ordered_json::object();
  for (const Figure& figure : figures()) {
    if (!spreads(figure)) continue;
    std::vector<double> values;
    for (const auto& document : documents) {
      const ordered_json& value = document.at(pointer_to(figure.path));
      if (value.is_number()) values.push_back(value.get<double>());
    }
    if (values.size() != documents.size()) continue;
    const Sample sample = summarize(values);
    const double half = half_width_95(sample);
    spread[figure.path] = {
        {"mean", sample.mean}, {"stddev", sample.stddev}, {"low", sample.mean - half}, {"high", sample.mean + half}};
  }
  const std::size_t ended = count_ended_early(documents);
  json["ensemble"] = {{"seeds", used},
                      {"ended_early", ended},
                      {"figures", spread},
                      {"warnings", ensemble_warnings(ended, documents.size())}};
  json["run"] = run;
  return json;
}

}  // namespace ftlab::platform
