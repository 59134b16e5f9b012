// No command at all: the main study, which Python makes. Knows its options and who else may not take them.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "common/input_error.h"
#include "platform/cli/commands.h"
#include "platform/cli/python.h"

namespace ftlab::platform::cli {
namespace {

constexpr const char* kOptions[] = {"--trace", "--out", "--seed"};

/// Their defaults are for the help alone: Python has its own.
struct MainStudyFlags {
  std::string trace;
  std::string out = "out/main-study";
  std::uint64_t seed = 1;
};

/// The options that the user gave, each with its value.
std::vector<std::string> given_words(const CLI::App& app, const MainStudyFlags& flags) {
  const std::string values[] = {flags.trace, flags.out, std::to_string(flags.seed)};
  std::vector<std::string> words;
  for (std::size_t i = 0; i < std::size(kOptions); ++i) {
    if (app.get_option(kOptions[i])->count() > 0) words.insert(words.end(), {kOptions[i], values[i]});
  }
  return words;
}

/// Options before a command are the main study's, which does not run then: nobody would read them.
void refuse_before_command(const CLI::App& app) {
  const CLI::App& command = *app.get_subcommands().front();
  for (const char* name : kOptions) {
    if (app.get_option(name)->count() == 0) continue;
    const std::string there = "stands before the command '" + command.get_name() + "', where it means the main study; ";
    throw InputError(
        command.get_prefix_command() || command.get_option_no_throw(name) != nullptr
            ? fmt::format("{} {}put it behind: ftlab {} {} ...", name, there, command.get_name(), name)
            : fmt::format("{} {}leave it out: `ftlab {}` has no such option", name, there, command.get_name()));
  }
}

}  // namespace

void register_main_study(CLI::App& app, Action& action) {
  auto options = std::make_shared<MainStudyFlags>();
  app.add_option("--trace", options->trace, "main study: the hplajw trace (default: look in $FTLAB_TRACE_DIR)");
  app.add_option("--out", options->out, "main study: folder for results")->capture_default_str();
  app.add_option("--seed", options->seed, "main study: seed")->capture_default_str();
  app.callback([&app, &action, options] {
    if (!app.get_subcommands().empty()) return refuse_before_command(app);
    action = [words = given_words(app, *options)]() -> int { become_python("main-study", words); };
  });
}

}  // namespace ftlab::platform::cli
