// No command at all: the main study, its tables, its files and its report.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "common/input_error.h"
#include "common/quantity_text.h"
#include "platform/cli/commands.h"
#include "platform/cli/progress.h"
#include "platform/cli/python.h"
#include "platform/cli/reproduce_text.h"
#include "platform/cli/table.h"
#include "platform/files/output_dir.h"
#include "platform/laboratory/main_study.h"

namespace ftlab::platform::cli {
namespace {

using nlohmann::ordered_json;

struct MainStudyFlags {
  std::string trace;
  std::string out = "out/main-study";
  std::uint64_t seed = 1;
};

Table comparison(const MainStudyResult& result) {
  Table table({{"policy"},
               {"Vcc", Align::right},
               {"simulated time", Align::right},
               {"throughput", Align::right},
               {"erasures", Align::right},
               {"blocks copied", Align::right},
               {"wear D", Align::right},
               {"cleaning time", Align::right},
               {"energy", Align::right},
               {"J per MiB", Align::right}});
  std::size_t i = 0;
  const std::size_t policies = result.study.at("runs").size();
  for (const auto& [folder, r] : result.results) {
    const auto& time = r.at("time");
    if (i == policies) table.add_rule();
    table.add_row({result.study.at("runs").at(i % policies).at("label").get<std::string>(),
                   fmt::format("{:g} V", r.at("device").at("supply_v").get<double>()),
                   duration_text(time.at("simulated_s").get<double>()),
                   rate_text(r.at("throughput").at("write_bytes_per_s").get<double>()),
                   count_text(r.at("flash").at("erases").get<double>()),
                   count_text(r.at("flash").at("pages_copied").get<double>()),
                   fmt::format("{:.2f}", r.at("wear").at("stddev").get<double>()),
                   percent_text(time.at("by_cause_s").at("clean").get<double>() / time.at("simulated_s").get<double>()),
                   energy_text(r.at("energy").at("total_j").get<double>()),
                   fmt::format("{:.3g}", r.at("energy").at("j_per_host_mib").get<double>())});
    ++i;
  }
  return table;
}

Table battery(const ordered_json& study) {
  Table table({{"policy"},
               {"Vcc", Align::right},
               {"MiB written per charge", Align::right},
               {"hours per charge", Align::right}});
  for (const auto& row : study.at("battery").at("rows")) {
    table.add_row({row.at("label").get<std::string>(), fmt::format("{:g} V", row.at("supply_v").get<double>()),
                   count_text(row.at("mib_per_charge").get<double>()),
                   count_text(row.at("hours_per_charge").get<double>())});
  }
  return table;
}

void write_files(const OutputDir& out, const MainStudyResult& result) {
  for (const auto& [folder, document] : result.results) {
    const OutputDir sub(out.path() / folder);
    sub.write("result.json", document.dump(2) + "\n");
  }
  out.write("reproduce.json", result.reproduce.dump(2) + "\n");
  out.write("study.json", result.study.dump(2) + "\n");
}

int main_study(const MainStudyFlags& options) {
  const OutputDir out{options.out};
  ProgressBar bar("main study");
  MainStudyOptions wanted;
  wanted.trace = options.trace;
  wanted.seed = options.seed;
  wanted.pool.progress = [&bar](double share, const std::string& label) { bar.update(share, label); };
  const MainStudyResult result = run_main_study(wanted);
  bar.finish();
  write_files(out, result);
  const ordered_json& study = result.study;
  fmt::print("{}\n{}\n\n", study.at("title").get<std::string>(), study.at("summary").get<std::string>());
  print(comparison(result));
  for (const auto& note : study.at("notes")) fmt::print("\nNote: {}\n", note.at("text").get<std::string>());
  fmt::print("\nBattery estimate: {}\n", study.at("battery").at("description").get<std::string>());
  print(battery(study));
  fmt::print("\n{}\n", experiment_text(result.reproduce.at("experiments").at(0)));
  fmt::print("This is one seed; `ftlab reproduce` averages four and judges both machines.\n\n");
  fmt::print("Results: {}\n", out.path().string());
  std::fflush(stdout);
  if (!has_python()) {
    fmt::print("Report:  ./ftlab report {}\n", out.path().string());
    return kOk;
  }
  return draw_report(out.path());
}

/// Options before a command are the main study's, which does not run then: nobody would read them.
void refuse_before_command(const CLI::App& app) {
  const CLI::App& command = *app.get_subcommands().front();
  for (const char* name : {"--trace", "--out", "--seed"}) {
    if (app.get_option(name)->count() == 0) continue;
    const std::string there = "stands before the command '" + command.get_name() + "', where it means the main study; ";
    throw InputError(
        command.get_prefix_command() || command.get_option_no_throw(name) != nullptr
            ? fmt::format("{} {}put it behind: ftlab {} {} ...", name, there, command.get_name(), name)
            : fmt::format("{} {}leave it out: `ftlab {}` has no such option", name, there, command.get_name()));
  }
}

}  // namespace

void register_main_study(CLI::App& app, Action& action) {
  auto options = std::make_shared<MainStudyFlags>();
  app.add_option("--trace", options->trace, "main study: the hplajw trace (default: look in $FTLAB_TRACE_DIR)");
  app.add_option("--out", options->out, "main study: folder for results")->capture_default_str();
  app.add_option("--seed", options->seed, "main study: seed")->capture_default_str();
  app.callback([&app, &action, options] {
    if (!app.get_subcommands().empty()) return refuse_before_command(app);
    action = [options] { return main_study(*options); };
  });
}

}  // namespace ftlab::platform::cli
