// `ftlab init [FILE]`: a commented study to start from.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "common/input_error.h"
#include "platform/cli/commands.h"
#include "platform/files/output_dir.h"
#include "platform/study/params.h"

namespace ftlab::platform::cli {
namespace {

struct InitFlags {
  std::string file = "study.toml";
  bool force = false;
};

int init(const InitFlags& options) {
  if (options.file == "-") {
    fmt::print("{}", study_template());
    return kOk;
  }
  std::error_code ignored;
  if (!options.force && std::filesystem::exists(options.file, ignored)) {
    throw InputError(fmt::format("{}: exists already; give another name, or --force to replace it", options.file));
  }
  OutputFile file(options.file, "give the path of another FILE");
  file.write(study_template());
  file.commit();
  fmt::print("{} written: every key with its default.\n", options.file);
  return kOk;
}

}  // namespace

void register_init(CLI::App& app, Action& action) {
  auto options = std::make_shared<InitFlags>();
  CLI::App* command = app.add_subcommand("init", "write a commented study to start from");
  command->add_option("FILE", options->file, "file to write; - for standard output")->capture_default_str();
  command->add_flag("--force", options->force, "replace a file that exists");
  command->footer(
      "Examples:\n"
      "  ftlab init my.toml        a commented study to start from\n"
      "  ftlab init -              the same on standard output");
  command->callback([&action, options] { action = [options] { return init(*options); }; });
}

}  // namespace ftlab::platform::cli
