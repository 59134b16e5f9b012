// `ftlab keys [PREFIX]`: every key of a study, straight from the parameter table.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "common/input_error.h"
#include "common/toml/toml_file.h"
#include "platform/cli/commands.h"
#include "platform/cli/listing.h"
#include "platform/study/params.h"

namespace ftlab::platform::cli {
namespace {

bool below(std::string_view key, std::string_view prefix) {
  return prefix.empty() || key == prefix || (key.starts_with(prefix) && key.substr(prefix.size()).starts_with('.'));
}

[[noreturn]] void refuse(const std::string& prefix) {
  std::vector<std::string> known;
  for (const Param& param : params()) {
    known.push_back(param.key);
    known.push_back(param.key.substr(0, param.key.find('.')));
  }
  std::string near = spec::nearest_name(prefix, known);
  if (near.empty()) near = spec::nearest_last_name(prefix, known);
  throw InputError(near.empty() ? fmt::format("no key or table named '{}'; `ftlab keys` lists all", prefix)
                                : fmt::format("no key or table named '{}'; did you mean '{}'?", prefix, near));
}

int keys(const std::string& prefix, Form form) {
  Table table({{"key"}, {"type"}, {"unit"}, {"range"}, {"default"}, {"help"}});
  bool any = false;
  for (const Param& param : params()) {
    if (!below(param.key, prefix)) continue;
    any = true;
    table.add_row({param.key, std::string(name_of(param.type)), param.unit, range_text(param),
                   param.fallback.empty() ? "-" : param.fallback, param.help});
  }
  for (const FreeTable& free : free_tables()) {
    if (!below(free.name, prefix)) continue;
    any = true;
    table.add_row({fmt::format("{}.*", free.name), "any", "", "", "-", std::string(free.help)});
  }
  if (!any) refuse(prefix);
  print(table, form);
  return kOk;
}

}  // namespace

void register_keys(CLI::App& app, Action& action) {
  auto prefix = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("keys", "list every key of a study: type, unit, range, default, help");
  command->add_option("KEY", *prefix, "only this key or table, for example ftl or ftl.selection");
  auto form = std::make_shared<Form>();
  add_form_options(*command, *form);
  command->footer(
      "Examples:\n"
      "  ftlab keys               every key of a study\n"
      "  ftlab keys ftl           those of its table [ftl]\n"
      "  ftlab keys --json        for programs");
  command->callback([&action, prefix, form] { action = [prefix, form] { return keys(*prefix, *form); }; });
}

}  // namespace ftlab::platform::cli
