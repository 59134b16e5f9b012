// `ftlab sweep`, `ftlab optimize`, `ftlab reproduce`: questions to many runs. Knows their names; Python reads the
// arguments, --help among them.
#include <CLI/CLI.hpp>

#include "platform/cli/commands.h"
#include "platform/cli/python.h"

namespace ftlab::platform::cli {
namespace {

void hand_on(CLI::App& app, Action& action, const char* name, const char* help) {
  CLI::App* command = app.add_subcommand(name, help);
  command->prefix_command();
  command->set_help_flag();
  command->callback([&action, command] {
    action = [name = command->get_name(), arguments = command->remaining()]() -> int {
      become_python(name, arguments);
    };
  });
}

}  // namespace

void register_laboratory(CLI::App& app, Action& action) {
  hand_on(app, action, "sweep", "run a study with every combination of values, into one table");
  hand_on(app, action, "optimize", "search the values of a study for the best points in several figures");
  hand_on(app, action, "reproduce", "published tables and figures beside ours, with a verdict each");
}

}  // namespace ftlab::platform::cli
