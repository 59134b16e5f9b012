// From argv to an exit code: the parser, its error messages, and what an exception means to the shell.
// Knows no command but through commands().
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <new>

#include "common/input_error.h"
#include "common/toml/toml_file.h"
#include "platform/cli/commands.h"
#include "platform/cli/python.h"
#include "platform/files/cleanup_on_signal.h"
#include "platform/files/end_with_parent.h"

namespace ftlab::platform::cli {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  ftlab init study.toml                  a commented study to start from\n"
    "  ftlab keys ftl                         keys of the [ftl] table: type, range, default\n"
    "  ftlab parts series2plus-24mb           every number of a part and where it comes from\n"
    "  ftlab COMMAND --help                   options of a command";

/// The command the user chose, down to the last level; the program itself when none.
const CLI::App& deepest(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : deepest(*chosen.front());
}

std::string full_name(const CLI::App& app) {
  return app.get_parent() == nullptr ? app.get_name() : full_name(*app.get_parent()) + " " + app.get_name();
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

/// The first argument that nobody took, explained.
[[noreturn]] void refuse(const std::string& argument, const CLI::App& app) {
  const bool option = argument.starts_with('-');
  const std::string word = argument.substr(0, argument.find('='));
  const auto known = option ? option_names(app) : command_names(app);
  const std::string kind = option ? "option" : known.empty() ? "argument" : "command";
  const std::string near = spec::nearest_name(word, known);
  throw InputError(near.empty() ? fmt::format("unknown {} '{}'; see `{} --help`", kind, word, full_name(app))
                                : fmt::format("unknown {} '{}'; did you mean '{}'?", kind, word, near));
}

/// Arguments that no option takes are collected instead of refused, so that refuse() can name what was meant.
void allow_extras(CLI::App& app) {
  app.allow_extras();
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) allow_extras(*command);
}

/// An option without its value would take the option behind it, and a file of that name would be written.
/// `--out=--seed` says that it is meant.
void refuse_options_as_values(const CLI::App& root, int argc, const char* const* argv) {
  const CLI::App* app = &root;
  for (int i = 1; i < argc && !app->get_prefix_command(); ++i) {
    const std::string word = argv[i];
    if (word == "--") return;
    if (!word.starts_with('-')) {
      const auto named = app->get_subcommands([&word](const CLI::App* command) { return command->get_name() == word; });
      if (!named.empty()) app = named.front();
      continue;
    }
    const CLI::Option* option = app->get_option_no_throw(word);
    if (option == nullptr || option->get_items_expected_min() == 0 || i + 1 == argc) continue;
    const std::string value = argv[++i];
    if (!value.starts_with('-') || app->get_option_no_throw(value.substr(0, value.find('='))) == nullptr) continue;
    throw InputError(
        fmt::format("{} needs a value, and {} behind it is an option; see `{} --help`", word, value, full_name(*app)));
  }
}

int parse_and_run(int argc, const char* const* argv) {
  CLI::App app{"Co-simulation of flash storage: hardware at register level and the firmware that drives it."};
  app.name("ftlab");
  app.set_version_flag("--version", "ftlab " FTLAB_VERSION, "print the version and exit");
  app.footer(kExamples);
  app.require_subcommand(0, 1);
  Action action;
  for (const Register add : commands()) add(app, action);
  allow_extras(app);
  refuse_options_as_values(app, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& outcome) {
    if (outcome.get_exit_code() == 0) return app.exit(outcome);  // --help, --version
    // A misspelt option is the likelier mistake than the missing value it leaves behind.
    if (const auto rest = app.remaining(true); !rest.empty()) refuse(rest.front(), deepest(app));
    throw InputError(fmt::format("{}; see `{} --help`", outcome.what(), full_name(deepest(app))));
  }
  // A prefix command hands its arguments on.
  if (const auto rest = app.remaining(true); !rest.empty() && !deepest(app).get_prefix_command())
    refuse(rest.front(), deepest(app));
  if (!action) {
    const CLI::App& group = deepest(app);
    fmt::print("{}", group.help(group.get_parent() == nullptr ? "" : full_name(*group.get_parent())));
    return kOk;
  }
  const int code = action();
  // A full disk behind a redirection shows only when the last bytes are written.
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    throw InputError("standard output: cannot be written; is the disk full?");
  }
  return code;
}

}  // namespace

int run_command_line(int argc, const char* const* argv) {
  remember_typed(argv[0]);
  try {
    return parse_and_run(argc, argv);
  } catch (const InputError& error) {
    std::fflush(stdout);
    fmt::print(stderr, "ftlab: error: {}\n", error.what());
    return kBadInput;
  } catch (const std::bad_alloc&) {
    std::fflush(stdout);
    fmt::print(stderr, "ftlab: error: not enough memory; use a part of fewer pages, or content that takes less\n");
    return kBadInput;
  } catch (const std::exception& error) {
    if (std::ferror(stdout) != 0) {
      fmt::print(stderr, "ftlab: error: standard output: {}; is the disk full?\n", error.what());
      return kBadInput;
    }
    fmt::print(stderr, "ftlab: internal error: {}; this is a fault of ftlab, please report it with the command line\n",
               error.what());
  } catch (...) {
    fmt::print(stderr, "ftlab: internal error of unknown kind; please report it with the command line\n");
  }
  return kInternalError;
}

int run_program(int argc, const char* const* argv) {
  prepare_signals();
  end_with_parent();
  return run_command_line(argc, argv);
}

}  // namespace ftlab::platform::cli

// libsystemc wants one beside its own main(), which the program's replaces.
extern "C" int sc_main(int, char**) { return ftlab::platform::cli::kInternalError; }
