// `ftlab report DIR`: one HTML page and the figures of a results folder.
#include <CLI/CLI.hpp>
#include <memory>

#include "platform/cli/commands.h"
#include "platform/cli/python.h"

namespace ftlab::platform::cli {

void register_report(CLI::App& app, Action& action) {
  auto dir = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("report", "draw the report of a results folder (HTML page and SVG figures)");
  command->add_option("DIR", *dir, "folder with results, as --out named it")->required();
  command->callback([&action, dir] {
    action = [dir]() -> int {
      require_folder(*dir);
      become_python("report", {*dir});
    };
  });
}

}  // namespace ftlab::platform::cli
