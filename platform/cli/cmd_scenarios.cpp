// `ftlab scenarios [NAME]`: which scenarios there are, or the numbers of one.
#include <CLI/CLI.hpp>
#include <memory>

#include "platform/cli/commands.h"
#include "platform/cli/data_listing.h"

namespace ftlab::platform::cli {

void register_scenarios(CLI::App& app, Action& action) {
  auto name = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("scenarios", "list the scenarios, or every number of one with its source");
  command->add_option("NAME", *name, "a scenario from the list, or the path of a scenario file");
  command->callback([&action, name] {
    action = [name] {
      name->empty() ? print_data_files("scenarios") : print_data_file("scenarios", *name);
      return kOk;
    };
  });
}

}  // namespace ftlab::platform::cli
