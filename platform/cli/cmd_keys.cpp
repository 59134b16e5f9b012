// `ftlab keys [WORD]`: every key of a study, straight from the parameter table.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

#include "common/input_error.h"
#include "common/toml/toml_file.h"
#include "common/toml/written_number.h"
#include "platform/cli/commands.h"
#include "platform/cli/listing.h"
#include "platform/study/firmware_row.h"
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
  const std::string near = spec::nearest_key(prefix, known);
  throw InputError(near.empty() ? fmt::format("no key or table named '{}'; `ftlab keys` lists all", prefix)
                                : fmt::format("no key or table named '{}'; did you mean '{}'?", prefix, near));
}

/// "B 1, bytes 1, KiB 1024": what may stand behind a number, each with how much of the key's unit it is.
std::string units_text(const Param& param) {
  const std::string_view unit = written_unit(param);
  std::string text;
  if (unit.empty()) return text;
  for (const std::string& name : spec::spellings_of(unit))
    text += (text.empty() ? "" : ", ") + name + " " + spec::factor_text(name, unit);
  return text;
}

std::string former_text(const Param& param) {
  std::string text;
  for (const FormerKey& former : param.formerly) text += (text.empty() ? "" : ", ") + former.key;
  return text;
}

/// Names that values had: of ftl.firmware alone.
std::string former_values_text(const Param& param) {
  std::vector<std::string_view> names;
  if (param.key == "ftl.firmware") {
    for (const FirmwareRow* firmware : firmware_list())
      for (const FormerFirmware& former : firmware->formerly) names.push_back(former.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

/// What only programs need is left out of the table.
Table table_of(Form form) {
  std::vector<Column> columns{{"key"}, {"type"}, {"unit"}, {"range"}, {"default"}, {"help"}};
  if (form != Form::table) columns.insert(columns.end(), {{"units"}, {"also"}, {"formerly"}, {"former_values"}});
  return Table(std::move(columns));
}

/// Keys for which `shown` holds of name and help.
template <class Shown>
std::size_t add_rows(Table& table, Form form, Shown&& shown) {
  std::size_t rows = 0;
  const auto add = [&](std::vector<std::string> cells) {
    if (form == Form::table) cells.resize(table.columns().size());
    table.add_row(std::move(cells));
    ++rows;
  };
  for (const Param& param : params()) {
    const auto is_other = [&](std::string_view name) { return !name.empty() && shown(name, ""); };
    if (!shown(param.key, param.help) && !is_other(param.bare) &&
        std::ranges::none_of(param.formerly, is_other, &FormerKey::key))
      continue;
    add({param.key, std::string(name_of(param.type)), param.unit, range_text(param),
         param.fallback.empty() ? "-" : param.fallback, param.help, units_text(param), param.bare, former_text(param),
         former_values_text(param)});
  }
  for (const FreeTable& free : free_tables()) {
    if (shown(free.name, free.help))
      add({fmt::format("{}.*", free.name), "any", "", "", "-", std::string(free.help), "", "", "", ""});
  }
  return rows;
}

/// How a value of one key may be written.
std::string ways_of(const Param& param) {
  const std::string example = written_example(param);
  if (example.empty()) return {};
  const std::string name = param.bare.empty() ? param.key : param.bare;
  return fmt::format("With a unit: {} = \"{}\", which is a text, in quotes. Units: {}.", name, example,
                     fmt::join(spec::spellings_of(written_unit(param)), ", "));
}

int keys(const std::string& word, Form form) {
  Table table = table_of(form);
  const std::size_t named =
      add_rows(table, form, [&word](std::string_view key, std::string_view) { return below(key, word); });
  if (named == 0 && add_rows(table, form, [&word](std::string_view key, std::string_view help) {
                      return mentions(key, word) || mentions(help, word);
                    }) == 0)
    refuse(word);
  print(table, form);
  if (form != Form::table) return kOk;
  const auto one = std::ranges::find_if(
      params(), [&word](const Param& param) { return param.key == word || (!word.empty() && param.bare == word); });
  const std::string ways = one != params().end()
                               ? ways_of(*one)
                               : "Numbers may be written with a unit of their kind, in quotes: total = "
                                 "\"2GiB\", request_bytes = \"16KiB\", spare_factor = \"15 %\". `ftlab keys "
                                 "KEY` lists the units of a key.";
  if (!ways.empty()) fmt::print("\n{}", paragraph(ways, terminal_width()));
  return kOk;
}

}  // namespace

void register_keys(CLI::App& app, Action& action) {
  auto word = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("keys", "list every key of a study: type, unit, range, default, help");
  command->add_option("WORD", *word,
                      "only this key or table, for example ftl or ftl.selection; where there is none, every key whose "
                      "name or help has the word");
  auto form = std::make_shared<Form>();
  add_form_options(*command, *form);
  command->footer(
      "Examples:\n"
      "  ftlab keys               every key of a study\n"
      "  ftlab keys ftl           those of its table [ftl]\n"
      "  ftlab keys battery       those that have to do with a battery\n"
      "  ftlab keys --json        for programs");
  command->callback([&action, word, form] { action = [word, form] { return keys(*word, *form); }; });
}

}  // namespace ftlab::platform::cli
