// `ftlab run STUDY.toml`: one study, and where its result goes. Several seeds are Python's, once the place is ours.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "common/input_error.h"
#include "platform/cli/commands.h"
#include "platform/cli/listing.h"
#include "platform/cli/progress.h"
#include "platform/cli/python.h"
#include "platform/cli/result_text.h"
#include "platform/cli/study_options.h"
#include "platform/cli/summary.h"
#include "platform/files/cleanup_on_signal.h"
#include "platform/files/output_dir.h"
#include "platform/run/runner.h"
#include "platform/study/firmware_row.h"
#include "platform/study/result_file.h"
#include "workloads/traces/spool.h"

namespace ftlab::platform::cli {
namespace {

namespace fs = std::filesystem;

struct LogOption {
  const char* name;
  std::string LogFiles::*file;
  const char* what;   ///< in messages
  const char* title;  ///< in what a run prints at its end
  const char* help;
};

/// Of simulated time; later ends of a span are no end.
constexpr double kLongestNs = 3.2e17;

constexpr LogOption kLogOptions[] = {
    {"--log-ops", &LogFiles::ops, "the operation log", "Operations",
     "write every flash operation, from attaching the part on, to this CSV file (.gz: packed); replaced when the run "
     "is done"},
    {"--log-requests", &LogFiles::requests, "the request log", "Requests",
     "write every request of the measured phase, with the time booked under each cause while it was in flight, to this "
     "CSV file (.gz: packed); replaced when the run is done"},
    {"--log-bus", &LogFiles::bus, "the bus log", "Bus",
     "write bursts of register accesses and buffer loads, from attaching the part on, to this CSV file (.gz: packed); "
     "replaced when the run is done"},
    {"--log-instructions", &LogFiles::instructions, "the instruction log", "Instructions",
     "write every instruction that a simulated core executes from --log-from to --log-to, with its function and source "
     "line, to this CSV file (.gz: packed); replaced when the run is done"},
    {"--profile", &LogFiles::profile, "the profile", "Profile",
     "write where the cycles of a simulated core go to this file (.gz: packed), as folded stacks, which programs that "
     "draw flame graphs take; replaced when the run is done"},
    {"--coverage", &LogFiles::coverage, "the coverage", "Coverage",
     "write which source lines of its firmware a simulated core executes, and how often, to this file (.gz: packed), "
     "as an lcov tracefile, which genhtml takes; replaced when the run is done"},
};

struct RunFlags {
  StudyOptions study;
  unsigned seeds = 0;  ///< 0: not given
  std::string out;
  bool out_given = false;
  LogFiles logs;
  double log_from_s = 0;
  double log_to_s = std::numeric_limits<double>::infinity();
  bool log_span_given = false;
  std::optional<std::uint16_t> gdb_port;
  unsigned jobs = 0;
  bool force = false;
  bool quiet = false;
  Form form = Form::table;
};

/// The same place, whether it exists or not.
bool same_place(const fs::path& a, const fs::path& b) {
  std::error_code ignored;
  // Absolute first: where nothing exists yet, a relative path would stay as it was written.
  const auto place = [&ignored](const fs::path& path) { return fs::weakly_canonical(fs::absolute(path), ignored); };
  return fs::equivalent(a, b, ignored) || place(a) == place(b);
}

/// A log replaces what is under its name; that must not be what the run reads or writes.
void check_log_places(const RunFlags& options, const Study& study, const fs::path& result) {
  for (const LogOption& option : kLogOptions) {
    const std::string& log = options.logs.*option.file;
    if (log.empty()) continue;
    const auto refuse_if = [&](const fs::path& other, std::string_view what) {
      if (other.empty() || !same_place(log, other)) return;
      throw InputError(fmt::format("{} {}: is {} of this run; choose another FILE", option.name, log, what));
    };
    refuse_if(options.study.file, "the study");
    if (study.workload.kind == "trace") refuse_if(study.workload.path, "the trace");
    if (const auto own = firmware_of(study).program) refuse_if(own(study)->elf, "the program");
    refuse_if(result, "the result.json");
    for (const LogOption* other = kLogOptions; other != &option; ++other) {
      refuse_if(options.logs.*other->file, other->what);
    }
  }
}

/// What the logs hold: seconds of the measured phase, where the user said so.
LogSpan log_span(const RunFlags& options) {
  const LogFiles& logs = options.logs;
  if (!logs.instructions.empty() && std::isinf(options.log_to_s)) {
    throw InputError(
        "--log-instructions: has no end, and a second may hold 64 million of them; give --log-to SECONDS, and "
        "--log-from");
  }
  if (!options.log_span_given) return {};
  const bool has_log = !logs.ops.empty() || !logs.requests.empty() || !logs.bus.empty() || !logs.instructions.empty();
  if (!has_log) {
    throw InputError(
        "--log-from, --log-to: there is no log; give --log-ops, --log-requests, --log-bus or --log-instructions");
  }
  if (!(options.log_from_s >= 0 && options.log_from_s < options.log_to_s)) {
    throw InputError(fmt::format("--log-from {:g} --log-to {:g}: must be a span of seconds from 0 on",
                                 options.log_from_s, options.log_to_s));
  }
  const auto ticks = [](double seconds) { return ticks_from_ns(std::min(seconds * 1e9, kLongestNs)); };
  return {ticks(options.log_from_s), ticks(options.log_to_s)};
}

/// A span behind the end is seen only once the end is there.
void note_empty_logs(const RunFlags& options, const nlohmann::ordered_json& result) {
  const double end_s = result.at("time").at("simulated_s").get<double>();
  if (options.log_from_s <= end_s) return;
  fmt::print(stderr, "ftlab: note: --log-from {:g}: the measured phase ended at {:g} s, so the logs are empty\n",
             options.log_from_s, end_s);
}

void refuse_what_is_of_one_run(const RunFlags& options) {
  if (options.gdb_port) throw InputError("--gdb: a debugger looks at one run; leave --seeds out");
  for (const LogOption& option : kLogOptions) {
    if ((options.logs.*option.file).empty()) continue;
    throw InputError(
        fmt::format("{} writes one run; leave --seeds out, or run the seed of interest alone", option.name));
  }
}

/// The study file that a result names as its own; empty when there is none, or none is named.
std::string study_of(const fs::path& result) {
  std::ifstream in(result);
  // The library reads a stream several times as slowly.
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("run") || !json.at("run").is_object()) return {};
  const auto study = json.at("run").find("study");
  return study != json.at("run").end() && study->is_string() ? study->get<std::string>() : std::string{};
}

/// Claims the folder, or, unless the user named it, the first of NAME-2, NAME-3, ... that no other run is writing to.
void claim_folder(std::optional<OutputDir>& out, const fs::path& folder, const RunFlags& options) {
  out.emplace(folder);
  for (int n = 2; !out->claim(); ++n) {
    if (options.out_given)
      throw InputError(fmt::format("--out {}: another run is writing there; choose another folder", folder.string()));
    out.emplace(fmt::format("{}-{}", folder.string(), n));
  }
  const std::string before = study_of(out->path() / "result.json");
  if (options.force || before.empty() || same_place(before, options.study.file)) return;
  throw InputError(
      fmt::format("{}: is the result of another study, {}; choose another folder with --out, or replace it "
                  "with --force",
                  (out->path() / "result.json").string(), before));
}

/// Where results go when the user names no folder; those of a repetition go beside what is repeated.
fs::path usual_folder(const fs::path& study) {
  if (!looks_like_result(study)) return fs::path("out") / study.stem();
  return fs::path("out") / (fs::weakly_canonical(fs::absolute(study)).parent_path().filename().string() + "-again");
}

/// As many seeds as the result to be repeated has, unless the user says how many.
unsigned wanted_seeds(const RunFlags& options) {
  if (options.seeds > 0) return options.seeds;
  if (!looks_like_result(options.study.file)) return 1;
  const auto result = read_result(options.study.file);
  const auto ensemble = result.find("ensemble");
  if (ensemble == result.end() || !ensemble->is_object() || !ensemble->contains("seeds")) return 1;
  return std::max<unsigned>(1, static_cast<unsigned>(ensemble->at("seeds").size()));
}

/// What an interrupt leaves that comes before anything is written.
std::string left_by_interrupt(const fs::path& result) {
  const std::string anew = "the same command starts anew";
  std::error_code ignored;
  if (!fs::exists(result, ignored)) return "nothing was written; " + anew;
  return fmt::format("nothing was written, {} is as it was before; {}", result.string(), anew);
}

/// Python runs each seed as a simulation of its own, in this process's place: the claim on the folder stays.
[[noreturn]] void become_seeds(const RunFlags& options, const Study& study, unsigned seeds, const OutputDir& out) {
  if (study.workload.kind == "trace" && workloads::rereadable(study.workload.path) != study.workload.path) {
    throw InputError(fmt::format("{}: can be read only once, and every seed reads it; save the trace to a file",
                                 study.workload.path));
  }
  std::vector<std::string> words{options.study.file, "--seeds", std::to_string(seeds), "--seed",
                                 std::to_string(study.seed)};
  const auto add = [&words](const char* name, const std::string& value) { words.insert(words.end(), {name, value}); };
  for (const std::string& setting : options.study.settings) add("--set", setting);
  if (options.jobs > 0) add("--jobs", std::to_string(options.jobs));
  add("--out", out.path().string());
  if (options.quiet) words.emplace_back("--quiet");
  if (options.form != Form::table) words.emplace_back(options.form == Form::json ? "--json" : "--csv");
  out.hand_over_exec();
  ::setenv("FTLAB_LAST_WORDS", left_by_interrupt(out.path() / "result.json").c_str(), 1);
  become_python("seeds", words);
}

/// As a result names a file that belongs to it: from its folder, so that both can be moved, where it lies in there.
std::string named_from(const fs::path& folder, const fs::path& file) {
  const fs::path whole = fs::absolute(file).lexically_normal();
  const fs::path within = whole.lexically_relative(fs::absolute(folder).lexically_normal());
  return (within.empty() || *within.begin() == ".." ? whole : within).string();
}

void say_where(const RunFlags& options, const fs::path& result) {
  fmt::print("\nResults: {}\nReport:  {} report {}\n", result.string(), typed_program(), result.parent_path().string());
  for (const LogOption& option : kLogOptions) {
    const std::string& log = options.logs.*option.file;
    if (!log.empty()) fmt::print("{}: {}\n", option.title, log);
  }
}

int run(const RunFlags& options) {
  const LastWords before_the_folder_is_known(left_by_interrupt({}));
  if (options.out_given && options.out.empty()) {
    throw InputError("--out: must not be empty; name a folder for the results");
  }
  const Study study = load_study(options.study);
  const unsigned seeds = wanted_seeds(options);
  if (seeds > 1) refuse_what_is_of_one_run(options);
  LogFiles logs = options.logs;
  logs.span = log_span(options);
  const fs::path folder = options.out_given ? fs::path(options.out) : usual_folder(options.study.file);
  std::optional<OutputDir> out;
  std::optional<SignalsWait> until_the_last_words(std::in_place);
  claim_folder(out, folder, options);
  const fs::path result_path = out->path() / "result.json";
  const LastWords before_the_result(left_by_interrupt(result_path));
  until_the_last_words.reset();
  check_log_places(options, study, result_path);
  if (seeds > 1) become_seeds(options, study, seeds, *out);
  if (study.workload.kind == "trace") (void)workloads::rereadable(study.workload.path);
  ProgressBar bar("simulating");
  RunOptions run_options{logs, [&bar](double share) { bar.update(share); }, options.gdb_port};
  if (!options.quiet) {
    run_options.console = [&bar](double at_s, std::string_view line) {
      bar.finish();
      fmt::print(stderr, "[{:.6f} s] {}\n", at_s, line);
    };
  }
  run_options.remark = [&bar](std::string_view line) {
    bar.finish();
    fmt::print(stderr, "ftlab: note: {}\n", line);
  };
  nlohmann::ordered_json result = run_study(study, run_options);
  bar.finish();
  if (const auto& workload = result.at("workload"); workload.contains("trace")) {
    const auto& trace = workload.at("trace");
    note_open_end(trace.at("last_line_open").get<bool>(), study.workload.path);
    note_empty_requests(trace.at("empty_requests").get<std::uint64_t>(), study.workload.path);
  }
  note_empty_logs(options, result);
  result["run"]["study"] = fs::absolute(options.study.file).lexically_normal().string();
  if (study.workload.kind == "trace" && study.workload.path != workloads::kStandardInput)
    result["run"]["trace"] = fs::absolute(study.workload.path).lexically_normal().string();
  if (const auto own = firmware_of(study).program)
    result["run"]["program"] = fs::absolute(own(study)->elf).lexically_normal().string();
  if (fs::is_regular_file(logs.profile)) result["run"]["profile"] = named_from(out->path(), logs.profile);
  out->write("result.json", result.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  if (!options.quiet) fmt::print("{}", result_text(result, options.form));
  if (!options.quiet && options.form == Form::table) say_where(options, result_path);
  return result.at("host").at("ended_early").get<bool>() ? kEndedEarly : kOk;
}

}  // namespace

void register_run(CLI::App& app, Action& action) {
  auto options = std::make_shared<RunFlags>();
  CLI::App* command = app.add_subcommand("run", "simulate a study and write its result.json");
  command->footer(
      "Examples:\n"
      "  ftlab run study.toml                              results in out/study\n"
      "  ftlab run study.toml --set ftl.selection=greedy   one key otherwise\n"
      "  ftlab run study.toml --seeds 4                    means and 95 % intervals\n"
      "  ftlab run out/study/result.json                   the same again\n"
      "  ftlab run study.toml --json                       the result on standard output, for programs\n\n"
      "Exit status: 0 the whole workload ran; 2 wrong input; 3 results are written, but the device took no more "
      "writes\n"
      "before the workload was over (worn out, no space), with --seeds in any of the runs.");
  add_study_options(*command, options->study);
  command
      ->add_option_function<std::string>(
          "--on",
          [options](const std::string& core) { options->study.settings.push_back("platform.processor=" + core); },
          "who executes the firmware: native, or a simulated core, arm or riscv; the key platform.processor")
      ->type_name("CORE");
  command
      ->add_option("--gdb", options->gdb_port,
                   "hold the simulated core for a debugger, by GDB's remote protocol at this TCP port of this machine "
                   "(0: any that is free)")
      ->check(CLI::Range(0, 65535))
      ->type_name("PORT");
  command->add_option("--seeds", options->seeds, "run this many seeds, print mean and 95 % interval")
      ->check(CLI::Range(1, 10000));
  CLI::Option* out =
      command->add_option("--out", options->out,
                          "folder for results (default: out/NAME-OF-STUDY, with a number behind it while "
                          "another run is writing there)");
  command->add_flag("--force", options->force, "replace the result of another study");
  command->add_flag("-q,--quiet", options->quiet, "print nothing but errors");
  add_form_options(*command, options->form, "print the result as JSON", "print its figures as CSV");
  for (const LogOption& option : kLogOptions) {
    command->add_option(option.name, options->logs.*option.file, option.help)->check([](const std::string& file) {
      return file.empty() ? "must not be empty; name a file" : std::string{};
    });
  }
  CLI::Option* from = command->add_option("--log-from", options->log_from_s,
                                          "logs hold only what touches the measured phase from this second of it on");
  CLI::Option* to = command->add_option("--log-to", options->log_to_s, "... up to this second of it");
  command->add_option("--jobs", options->jobs, "simulations at once with --seeds (default: one per processor)");
  command->callback([&action, options, out, from, to] {
    options->out_given = out->count() > 0;
    options->log_span_given = from->count() + to->count() > 0;
    action = [options] { return run(*options); };
  });
}

}  // namespace ftlab::platform::cli
