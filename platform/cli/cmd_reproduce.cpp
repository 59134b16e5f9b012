// `ftlab reproduce [NAME...]`: published figures beside ours; exit code 1 when one is outside its tolerance.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "platform/cli/commands.h"
#include "platform/cli/progress.h"
#include "platform/cli/reproduce_text.h"
#include "platform/cli/table.h"
#include "platform/files/output_dir.h"
#include "platform/laboratory/reproduce/experiment.h"
#include "platform/laboratory/reproduce/reproduce.h"

namespace ftlab::platform::cli {
namespace {

struct ReproduceFlags {
  std::vector<std::string> names;
  bool list = false;
  unsigned seeds = 4;
  std::uint64_t seed = 1;
  std::string out = "out/reproduce";
  unsigned jobs = 0;
  bool no_vary = false;
};

int list() {
  Table table({{"name"}, {"what it reproduces"}});
  for (const Experiment& experiment : experiments()) table.add_row({experiment.name, experiment.title});
  print(table);
  return kOk;
}

int reproduce(const ReproduceFlags& options) {
  if (options.list) return list();
  const OutputDir out{options.out};
  ProgressBar bar("reproducing");
  ReproduceOptions wanted;
  wanted.names = options.names;
  wanted.seeds.clear();
  for (unsigned i = 0; i < options.seeds; ++i) wanted.seeds.push_back(options.seed + i);
  wanted.vary = !options.no_vary;
  wanted.pool = {options.jobs, [&bar](double share, const std::string& label) { bar.update(share, label); }};
  const nlohmann::ordered_json result = run_reproduce(wanted);
  bar.finish();
  out.write("reproduce.json", result.dump(2) + "\n");
  int code = kOk;
  for (const auto& experiment : result.at("experiments")) {
    fmt::print("{}\n", experiment_text(experiment));
    if (experiment.at("verdict") == "fail") code = kOutsideTolerance;
  }
  fmt::print("{}\nResults: {}/reproduce.json\nReport:  ./ftlab report {}\n", parameters_text(result), options.out,
             options.out);
  return code;
}

}  // namespace

void register_reproduce(CLI::App& app, Action& action) {
  auto options = std::make_shared<ReproduceFlags>();
  CLI::App* command = app.add_subcommand("reproduce", "published tables and figures beside ours, with a verdict each");
  command->add_option("NAME", options->names, "experiments to run (default: all)");
  command->add_flag("--list", options->list, "what can be reproduced");
  command->add_option("--seeds", options->seeds, "seeds to average")->check(CLI::Range(1, 1000))->capture_default_str();
  command->add_option("--seed", options->seed, "first seed")->capture_default_str();
  command->add_option("--out", options->out, "folder for results")->capture_default_str();
  command->add_option("--jobs", options->jobs, "simulations at once (default: one per processor)");
  command->add_flag("--no-vary", options->no_vary, "leave out the runs with unpublished values 20 % lower and higher");
  command->callback([&action, options] { action = [options] { return reproduce(*options); }; });
}

}  // namespace ftlab::platform::cli
