// `ftlab run STUDY.toml`: one study, or the same with several seeds.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "common/input_error.h"
#include "platform/cli/commands.h"
#include "platform/cli/study_options.h"
#include "platform/cli/summary.h"
#include "platform/config/output_dir.h"
#include "platform/run/progress.h"
#include "platform/run/runner.h"

namespace ftlab::platform::cli {
namespace {

struct RunFlags {
  StudyOptions study;
  unsigned seeds = 1;
  std::string out;
  std::string ops_log;
  unsigned jobs = 0;
};

int run(const RunFlags& options) {
  const Study study = load_study(options.study);
  if (options.seeds > 1 && !options.ops_log.empty()) {
    throw InputError("--log-ops writes one run; leave --seeds out, or run the seed of interest alone");
  }
  const std::filesystem::path folder =
      options.out.empty() ? std::filesystem::path("out") / std::filesystem::path(options.study.file).stem()
                          : std::filesystem::path(options.out);
  const OutputDir out(folder);
  ProgressBar bar("simulating");
  nlohmann::ordered_json result;
  if (options.seeds > 1) {
    FarmOptions farm{options.jobs, [&bar](double share, const std::string& label) { bar.update(share, label); }};
    result = run_seeds(study, options.seeds, farm);
  } else {
    result = run_study(study, {options.ops_log, [&bar](double share) { bar.update(share); }});
  }
  bar.finish();
  out.write("result.json", result.dump(2) + "\n");
  fmt::print("{}\nResults: {}\nReport:  ./ftlab report {}\n", summary_text(result), (folder / "result.json").string(),
             folder.string());
  if (!options.ops_log.empty()) fmt::print("Operations: {}\n", options.ops_log);
  return kOk;
}

}  // namespace

void register_run(CLI::App& app, Action& action) {
  auto options = std::make_shared<RunFlags>();
  CLI::App* command = app.add_subcommand("run", "simulate a study and write its result.json");
  add_study_options(*command, options->study);
  command->add_option("--seeds", options->seeds, "run this many seeds, print mean and 95 % interval")
      ->check(CLI::Range(1, 10000));
  command->add_option("--out", options->out, "folder for results (default: out/NAME-OF-STUDY)");
  command->add_option("--log-ops", options->ops_log, "write every flash operation to this CSV file (.gz: packed)");
  command->add_option("--jobs", options->jobs, "simulations at once with --seeds (default: one per processor)");
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace ftlab::platform::cli
