// Questions to many runs, and views of what came of runs. Knows the names of these commands; Python reads their
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

void register_views(CLI::App& app, Action& action) {
  hand_on(app, action, "explain", "what the slowest requests of a run waited for");
  hand_on(app, action, "timeline", "a run for trace viewers: requests, operations, bus (Perfetto, VCD)");
  hand_on(app, action, "profile", "where the cycles of a simulated core went: functions, callers, callees");
  hand_on(app, action, "report", "draw the report of results folders (HTML page and SVG figures)");
}

}  // namespace ftlab::platform::cli
