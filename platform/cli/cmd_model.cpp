// `ftlab model [NAME] --set KEY=VALUE...`: write amplification by an analytic model, and what it computed on the way.
// Knows how inputs are typed; the models are in platform/analytic.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "common/input_error.h"
#include "common/toml/toml_file.h"
#include "platform/analytic/model.h"
#include "platform/cli/commands.h"
#include "platform/cli/listing.h"
#include "platform/study/study.h"

namespace ftlab::platform::cli {
namespace {

using analytic::InputRow;
using analytic::Inputs;
using analytic::Model;

constexpr int kModelVersion = 1;  // of ftlab-model
constexpr spec::KeyUnit kShare{"1", "15 %"};

struct ModelFlags {
  std::string name;
  std::vector<std::string> settings;
  bool list = false;
  Form form = Form::table;
};

std::vector<std::string> names_of(std::span<const InputRow* const> rows) {
  std::vector<std::string> names;
  for (const InputRow* row : rows) names.emplace_back(row->name);
  return names;
}

std::string inputs_of(const Model& model) { return fmt::format("{}", fmt::join(names_of(model.needs), ", ")); }

int list_models(Form form) {
  Table models({{"model"}, {"inputs"}, {"what it is"}});
  for (const Model* model : analytic::models())
    models.add_row({std::string(model->name), inputs_of(*model), std::string(model->help)});
  print(models, form);
  if (form != Form::table) return kOk;
  Table inputs({{"input"}, {"range"}, {"what it is"}});
  for (const InputRow* row : analytic::input_rows())
    inputs.add_row({std::string(row->name), analytic::range_text(*row), std::string(row->help)});
  fmt::print("\n");
  print(inputs, form);
  return kOk;
}

const Model& model_named(const std::string& name) {
  if (const Model* model = analytic::find_model(name)) return *model;
  std::vector<std::string> known;
  for (const Model* model : analytic::models()) known.emplace_back(model->name);
  const std::string near = spec::nearest_name(name, known);
  throw InputError(near.empty() ? fmt::format("no model named '{}'; `ftlab model` lists all", name)
                                : fmt::format("no model named '{}'; did you mean '{}'?", name, near));
}

/// Refuses a key that the model has no use for.
void check_key(const Model& model, const std::string& key) {
  const auto has = [&key](std::span<const InputRow* const> rows) {
    return std::ranges::find(rows, key, &InputRow::name) != rows.end();
  };
  if (has(model.needs)) return;
  if (has(analytic::input_rows()))
    throw InputError(fmt::format("--set: {}: {} does not use it; it takes {}", key, model.name, inputs_of(model)));
  const std::string near = spec::nearest_name(key, names_of(model.needs));
  throw InputError(near.empty()
                       ? fmt::format("--set: {}: unknown input; {} takes {}", key, model.name, inputs_of(model))
                       : fmt::format("--set: {}: unknown input; did you mean '{}'?", key, near));
}

/// A list may be typed without its brackets.
std::string value_text(const std::string& typed) {
  return typed.find(',') != std::string::npos && !typed.starts_with('[') ? "[" + typed + "]" : typed;
}

Inputs inputs_from(const Model& model, const std::vector<std::string>& settings) {
  spec::TomlFile file = spec::TomlFile::parse("", "--set");
  for (const std::string& text : settings) {
    const Setting setting = parse_setting(text, "spare_factor=0.1");
    check_key(model, setting.key);
    file.set(setting.key, value_text(setting.text), "--set");
  }
  Inputs inputs;
  for (const InputRow* row : model.needs) {
    if (!file.has(row->name)) continue;
    void* member = row->at(inputs);
    if (row->type == FieldType::number) {
      *static_cast<double*>(member) = file.get_number(row->name, row->min, row->max, kShare);
    } else if (row->type == FieldType::u64) {
      *static_cast<std::uint64_t*>(member) = static_cast<std::uint64_t>(
          file.get_integer(row->name, static_cast<std::int64_t>(row->min), static_cast<std::int64_t>(row->max)));
    } else {
      *static_cast<std::vector<double>*>(member) = file.get_numbers(row->name, row->min, row->max, kShare);
    }
  }
  return inputs;
}

Table table_of(const Model& model, const analytic::Result& result, Form form) {
  Table table({{"quantity"}, {"class", Align::right}, {"value", Align::right}, {"what it is"}});
  const auto text = [form](double value) {
    return form == Form::table ? fmt::format("{:.7g}", value) : fmt::format("{}", value);
  };
  table.add_row({"value", "", text(result.value), std::string(model.value)});
  for (const analytic::Detail& detail : result.details) {
    for (std::size_t i = 0; i < detail.values.size(); ++i) {
      table.add_row({std::string(detail.name), detail.per_class ? fmt::to_string(i + 1) : "", text(detail.values[i]),
                     i == 0 || form != Form::table ? std::string(detail.help) : ""});
    }
  }
  return table;
}

nlohmann::ordered_json json_of(const InputRow& row, Inputs& inputs) {
  const void* member = row.at(inputs);
  if (row.type == FieldType::number) return *static_cast<const double*>(member);
  if (row.type == FieldType::u64) return *static_cast<const std::uint64_t*>(member);
  return *static_cast<const std::vector<double>*>(member);
}

std::string json_of(const Model& model, Inputs inputs, const analytic::Result& result) {
  nlohmann::ordered_json json{{"schema", "ftlab-model"}, {"version", kModelVersion}, {"model", model.name}};
  for (const InputRow* row : model.needs) json["inputs"][std::string(row->name)] = json_of(*row, inputs);
  json["value"] = result.value;
  for (const analytic::Detail& detail : result.details) {
    nlohmann::ordered_json& place = json[std::string(detail.name)];
    if (detail.per_class) {
      place = detail.values;
    } else {
      place = detail.values.front();
    }
  }
  return json.dump(2) + "\n";
}

int model(const ModelFlags& flags) {
  if (flags.name.empty() && !flags.settings.empty())
    throw InputError("--set: belongs to a model; name one, `ftlab model` lists all");
  if (flags.name.empty()) return list_models(flags.form);
  const Model& model = model_named(flags.name);
  const Inputs inputs = inputs_from(model, flags.settings);
  const analytic::Result result = analytic::evaluate(model, inputs);
  if (flags.form == Form::json) {
    fmt::print("{}", json_of(model, inputs, result));
    return kOk;
  }
  if (flags.form == Form::table) fmt::print("{}: {}\n\n", model.name, model.help);
  print(table_of(model, result, flags.form), flags.form);
  return kOk;
}

}  // namespace

void register_model(CLI::App& app, Action& action) {
  auto flags = std::make_shared<ModelFlags>();
  CLI::App* command = app.add_subcommand("model", "write amplification by an analytic model; without NAME: the models");
  CLI::Option* name = command->add_option("NAME", flags->name, "the model");
  command->add_option("--set", flags->settings, "an input of the model; lists over classes as 0.9,0.1")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_flag("--list", flags->list, "list models and inputs")->excludes(name);
  add_form_options(*command, flags->form, "as JSON: one object; of the list, an object for each model");
  command->footer(
      "Examples:\n"
      "  ftlab model                                                          models and their inputs\n"
      "  ftlab model greedy --set spare_factor=0.1 --set pages_per_segment=64\n"
      "  ftlab model lru_classes --set spare_factor=0.1 --set access=0.6,0.3,0.1 --set data=0.1,0.3,0.6\n"
      "  ftlab model optimal_split --set spare_factor=0.1 --set pages_per_segment=64 --set access=0.9 --set data=0.05\n"
      "                                                                       0.9 and 0.05: the hot class of two");
  command->callback([&action, flags] { action = [flags] { return model(*flags); }; });
}

}  // namespace ftlab::platform::cli
