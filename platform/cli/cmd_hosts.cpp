// `ftlab hosts [NAME]`: which hosts there are, or the numbers of one.
#include <CLI/CLI.hpp>
#include <memory>

#include "platform/cli/commands.h"
#include "platform/cli/data_listing.h"

namespace ftlab::platform::cli {

void register_hosts(CLI::App& app, Action& action) {
  auto name = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("hosts", "list the hosts, or every number of one with its source");
  command->add_option("NAME", *name, "a host from the list, or the path of a host file");
  command->callback([&action, name] {
    action = [name] {
      name->empty() ? print_data_files("hosts") : print_data_file("hosts", *name);
      return kOk;
    };
  });
}

}  // namespace ftlab::platform::cli
