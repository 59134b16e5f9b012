// `ftlab parts|hosts|scenarios [NAME]`: which data files there are, or the numbers of one.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "platform/cli/commands.h"
#include "platform/cli/data_listing.h"

namespace ftlab::platform::cli {
namespace {

struct DataFlags {
  std::string name;
  Form form = Form::table;
};

void register_kind(CLI::App& app, Action& action, const char* kind, const char* one) {
  auto flags = std::make_shared<DataFlags>();
  CLI::App* command =
      app.add_subcommand(kind, fmt::format("list the {}, or every number of one with its source", kind));
  command->add_option("NAME", flags->name, fmt::format("a {0} from the list, or the path of a {0} file", one));
  add_form_options(*command, flags->form);
  command->callback([&action, kind, flags] {
    action = [kind, flags] {
      flags->name.empty() ? print_data_files(kind, flags->form) : print_data_file(kind, flags->name, flags->form);
      return kOk;
    };
  });
}

}  // namespace

void register_data(CLI::App& app, Action& action) {
  register_kind(app, action, "parts", "part");
  register_kind(app, action, "hosts", "host");
  register_kind(app, action, "scenarios", "scenario");
}

}  // namespace ftlab::platform::cli
