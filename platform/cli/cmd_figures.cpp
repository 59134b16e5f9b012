// `ftlab figures [WORD]`: every figure of a result, straight from the registry; or the JSON Schema made of it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "common/input_error.h"
#include "common/toml/toml_file.h"
#include "platform/cli/commands.h"
#include "platform/cli/listing.h"
#include "platform/measure/figures.h"
#include "platform/measure/result_schema.h"
#include "platform/study/firmware_row.h"

namespace ftlab::platform::cli {
namespace {

struct FiguresFlags {
  std::string prefix;
  bool schema = false;
  Form form = Form::table;
};

/// All of the registry, and below the one that stands for counters of firmwares those counters.
std::vector<Figure> listed() {
  std::vector<Figure> all;
  for (const Figure& figure : figures()) {
    all.push_back(figure);
    if (figure.path != kFirmwareFigures) continue;
    for (const FirmwareRow* firmware : firmware_list()) {
      if (firmware->figures == nullptr) continue;
      for (const FigureText& text : firmware->figures()) {
        all.push_back({fmt::format("{}.{}", figure.path, text.name), std::string(text.unit),
                       fmt::format("{}; ftl.firmware = \"{}\"", text.help, firmware->name), FigureType::number,
                       text.kind, false, nullptr, true});
      }
    }
  }
  return all;
}

int print_figures(const FiguresFlags& flags) {
  if (flags.schema) {
    fmt::print("{}\n", result_schema().dump(2));
    return kOk;
  }
  Table table({{"figure"}, {"type"}, {"unit"}, {"kind"}, {"what it is"}});
  std::vector<std::string> known;
  const std::vector<Figure> all = listed();
  for (const Figure& figure : all) {
    known.push_back(figure.path);
    known.push_back(figure.path.substr(0, figure.path.find('.')));
  }
  const auto below = [&flags](const Figure& figure) {
    return flags.prefix.empty() || figure.path == flags.prefix || figure.path.starts_with(flags.prefix + ".");
  };
  const auto mentioned = [&flags](const Figure& figure) {
    return mentions(figure.path, flags.prefix) || mentions(figure.help, flags.prefix);
  };
  const bool named = std::ranges::any_of(all, below);
  bool any = false;
  for (const Figure& figure : all) {
    if (named ? !below(figure) : !mentioned(figure)) continue;
    any = true;
    table.add_row({figure.path, std::string(name_of(figure.type)), figure.unit,
                   figure.kind == CounterKind::flow ? "flow" : "state", figure.help});
  }
  if (!any) {
    const std::string near = spec::nearest_name(flags.prefix, known);
    throw InputError(near.empty() ? fmt::format("no figure named '{}'; `ftlab figures` lists all", flags.prefix)
                                  : fmt::format("no figure named '{}'; did you mean '{}'?", flags.prefix, near));
  }
  print(table, flags.form);
  return kOk;
}

}  // namespace

void register_figures(CLI::App& app, Action& action) {
  auto flags = std::make_shared<FiguresFlags>();
  CLI::App* command = app.add_subcommand("figures", "list every figure of a result: unit, kind, meaning");
  command->add_option("WORD", flags->prefix,
                      "only this figure or section, for example flash or flash.erases; where there is none, every "
                      "figure whose name or meaning has the word");
  add_form_options(*command, flags->form);
  command->add_flag("--schema", flags->schema, "the JSON Schema of result.json instead")
      ->excludes(command->get_option("--json"))
      ->excludes(command->get_option("--csv"));
  command->footer(
      "Examples:\n"
      "  ftlab figures                     every figure of a result\n"
      "  ftlab figures latency             those of one section\n"
      "  ftlab figures --schema            the JSON Schema of result.json");
  command->callback([&action, flags] { action = [flags] { return print_figures(*flags); }; });
}

}  // namespace ftlab::platform::cli
