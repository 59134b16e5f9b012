// `ftlab completion SHELL`: a script by which a shell completes what is typed; it asks the program itself, by the
// hidden command __complete, so that it knows every command, key and name of the day.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "platform/analytic/model.h"
#include "platform/cli/commands.h"
#include "platform/cli/python.h"
#include "platform/files/data_files.h"
#include "platform/measure/figures.h"
#include "platform/study/params.h"

namespace ftlab::platform::cli {
namespace {

// clang-format off
constexpr const char* kBash = R"sh(_ftlab() {
  local IFS=$'\n'
  COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "${COMP_WORDS[COMP_CWORD]}"))
  if [[ ${COMPREPLY[0]-} == *= ]]; then compopt -o nospace; fi
}
complete -o default -F _ftlab ftlab ./ftlab
)sh";
constexpr const char* kFish = R"sh(function __ftlab_complete
  set -l words (commandline -opc) (commandline -ct)
  $words[1] __complete $words[2..-1] 2>/dev/null
end
complete -c ftlab -a '(__ftlab_complete)'
)sh";
// clang-format on

int print_script(const std::string& shell) {
  if (shell == "fish") {
    fmt::print("{}", kFish);
  } else {
    fmt::print("{}{}", shell == "zsh" ? "autoload -U +X bashcompinit && bashcompinit\n" : "", kBash);
  }
  return kOk;
}

using Words = std::vector<std::string>;

void add_options(Words& found, const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) found.push_back("--" + name);
  }
}

const CLI::App* command_named(const CLI::App& app, const std::string& name) {
  const auto found = app.get_subcommands([&name](const CLI::App* one) { return one->get_name() == name; });
  return found.empty() ? nullptr : found.front();
}

/// What may stand in the place of the last word.
Words candidates(const CLI::App& app, const Words& words) {
  Words found;
  if (words.size() < 2) {
    for (const CLI::App* command : app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); }))
      found.push_back(command->get_name());
    add_options(found, app);
    return found;
  }
  const std::string& name = words.front();
  if (words[words.size() - 2] == "--set" && name == "model") {
    for (const analytic::InputRow* row : analytic::input_rows()) found.push_back(std::string(row->name) + "=");
    return found;
  }
  if (words[words.size() - 2] == "--set") {
    for (const Param& param : params()) found.push_back(param.key + "=");
    return found;
  }
  if (name == "keys") {
    for (const Param& param : params()) found.push_back(param.key);
  } else if (name == "figures") {
    for (const Figure& figure : figures()) found.push_back(figure.path);
  } else if (name == "parts" || name == "hosts" || name == "cores" || name == "scenarios") {
    found = data_names(name);
  } else if (name == "model") {
    for (const analytic::Model* model : analytic::models()) found.emplace_back(model->name);
  } else if (name == "completion") {
    found = {"bash", "zsh", "fish"};
  }
  if (const CLI::App* command = command_named(app, name)) {
    add_options(found, *command);
    for (const CLI::App* below : command->get_subcommands([](const CLI::App*) { return true; }))
      found.push_back(below->get_name());
  }
  return found;
}

int complete(const CLI::App& app, const Words& words) {
  const CLI::App* command = words.size() < 2 ? nullptr : command_named(app, words.front());
  if (command != nullptr && command->get_prefix_command()) become_python("complete", words);
  for (const std::string& word : candidates(app, words)) fmt::print("{}\n", word);
  return kOk;
}

}  // namespace

void register_completion(CLI::App& app, Action& action) {
  auto shell = std::make_shared<std::string>();
  CLI::App* script =
      app.add_subcommand("completion", "a script by which a shell completes commands, options, keys, names");
  script->add_option("SHELL", *shell, "bash, zsh or fish")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
  script->footer(
      "Examples:\n"
      "  source <(ftlab completion bash)                                  for this bash; `zsh` for a zsh\n"
      "  ftlab completion fish > ~/.config/fish/completions/ftlab.fish         for every fish");
  script->callback([&action, shell] { action = [shell] { return print_script(*shell); }; });
  CLI::App* hidden = app.add_subcommand("__complete", "")->group("");
  hidden->prefix_command();
  hidden->set_help_flag();
  hidden->callback(
      [&app, &action, hidden] { action = [&app, words = hidden->remaining()] { return complete(app, words); }; });
}

}  // namespace ftlab::platform::cli
