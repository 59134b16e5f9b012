// `ftlab parts|hosts|cores|scenarios [NAME]`: which data files there are, or the numbers of one.
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

void register_kind(CLI::App& app, Action& action, const char* kind, const char* one, const char* example) {
  auto flags = std::make_shared<DataFlags>();
  CLI::App* command =
      app.add_subcommand(kind, fmt::format("list the {}, or every number of one with its source", kind));
  command->add_option("NAME", flags->name, fmt::format("a {0} from the list, or the path of a {0} file", one));
  add_form_options(*command, flags->form);
  command->footer(fmt::format("Examples:\n  ftlab {0}\n  ftlab {0} {1}\n  ftlab {0} {1} --csv", kind, example));
  command->callback([&action, kind, flags] {
    action = [kind, flags] {
      flags->name.empty() ? print_data_files(kind, flags->form) : print_data_file(kind, flags->name, flags->form);
      return kOk;
    };
  });
}

}  // namespace

void register_data(CLI::App& app, Action& action) {
  register_kind(app, action, "parts", "part", "series2plus-24mb");
  register_kind(app, action, "hosts", "host", "pentium-133");
  register_kind(app, action, "cores", "core", "cortex-m4");
  register_kind(app, action, "scenarios", "scenario", "flexfs-mobile");
}

}  // namespace ftlab::platform::cli
