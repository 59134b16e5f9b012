// The commands of the program. Each lives in a file of its own, registers itself on the parser and leaves an Action
// behind when the user chose it. Commands know the words of the command line; the work is done by platform/study and
// platform/run.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace ftlab::platform::cli {

/// Exit statuses of the program. Wrong use and bad input: 2, reported as InputError. Broken program: 70. Commands that
/// Python answers have theirs from it.
inline constexpr int kOk = 0;
inline constexpr int kBadInput = 2;
/// The result is written, but the device took no more writes before the workload was over.
inline constexpr int kEndedEarly = 3;
inline constexpr int kInternalError = 70;

/// What to do once the command line is understood; returns the exit code, throws InputError for the user's mistakes.
using Action = std::function<int()>;

/// Adds a command to `app`; when the user calls it, `action` is set. `action` outlives the parsing.
/// What runs without any command is registered the same way, by app.callback([&] { if (!action) action = ...; }): the
/// program's own callback comes after those of the commands.
using Register = void (*)(CLI::App& app, Action& action);

/// All commands in the order of the help. The one place to add a command.
const std::vector<Register>& commands();

void register_main_study(CLI::App& app, Action& action);
void register_run(CLI::App& app, Action& action);
void register_policies(CLI::App& app, Action& action);
void register_init(CLI::App& app, Action& action);
void register_new(CLI::App& app, Action& action);
void register_keys(CLI::App& app, Action& action);
void register_inputs(CLI::App& app, Action& action);
void register_figures(CLI::App& app, Action& action);
void register_data(CLI::App& app, Action& action);
void register_driver(CLI::App& app, Action& action);
void register_workloads(CLI::App& app, Action& action);
void register_model(CLI::App& app, Action& action);
void register_trace(CLI::App& app, Action& action);
void register_show(CLI::App& app, Action& action);
void register_compare(CLI::App& app, Action& action);
void register_laboratory(CLI::App& app, Action& action);
void register_views(CLI::App& app, Action& action);
void register_completion(CLI::App& app, Action& action);

/// Parses, runs, and turns every outcome into an exit code. Never throws.
int run_command_line(int argc, const char* const* argv);
/// All of main(): signals that clean up, an end with the parent that asks for it, then the command line. A program with
/// firmware of its own calls add_firmware() and then this.
int run_program(int argc, const char* const* argv);

}  // namespace ftlab::platform::cli
