// `ftlab sweep SWEEP.toml`: a study with every combination of values. Python reads the arguments, --help among them.
#include <CLI/CLI.hpp>

#include "platform/cli/commands.h"
#include "platform/cli/python.h"

namespace ftlab::platform::cli {

void register_sweep(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("sweep", "run a study with every combination of values, into one table");
  command->prefix_command();
  command->set_help_flag();
  command->callback(
      [&action, command] { action = [arguments = command->remaining()] { return run_python("sweep", arguments); }; });
}

}  // namespace ftlab::platform::cli
