// `ftlab parts [NAME]`: which parts there are, or the numbers of one.
#include <CLI/CLI.hpp>
#include <memory>

#include "platform/cli/commands.h"
#include "platform/cli/data_listing.h"

namespace ftlab::platform::cli {

void register_parts(CLI::App& app, Action& action) {
  auto name = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("parts", "list the parts, or every number of one with its source");
  command->add_option("NAME", *name, "a part from the list, or the path of a part file");
  command->callback([&action, name] {
    action = [name] {
      name->empty() ? print_data_files("parts") : print_data_file("parts", *name);
      return kOk;
    };
  });
}

}  // namespace ftlab::platform::cli
