// `ftlab inputs [STUDY]`: every number and choice that a study stands on, with its mark and source: keys of the study,
// then the quantities of its part, host, core and scenario. Knows where marks are kept; nothing of what a value does.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>

#include "platform/cli/commands.h"
#include "platform/cli/data_listing.h"
#include "platform/cli/listing.h"
#include "platform/cli/study_options.h"
#include "platform/files/scenario_file.h"
#include "platform/machine/families/families.h"
#include "platform/study/field_rows.h"
#include "platform/study/params.h"
#include "platform/study/study_files.h"

namespace ftlab::platform::cli {
namespace {

struct InputsFlags {
  StudyOptions study;
  Form form = Form::table;
};

/// Programs get every digit.
std::string number_text(double number, Form form) {
  return form == Form::table ? fmt::format("{:g}", number) : fmt::format("{}", number);
}

std::string value_text(const ParamValue& value, Form form) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* number = std::get_if<double>(&value)) return number_text(*number, form);
  return toml_text(value);
}

std::string bound_text(const Param& param, double bound) {
  const bool has_bounds = param.type == ParamType::integer || param.type == ParamType::number;
  return has_bounds && std::isfinite(bound) ? fmt::format("{}", bound) : "";
}

std::string mark_text(const spec::Quantity& quantity, bool unpublished) {
  std::string marks;
  const auto add = [&marks](bool holds, const char* mark) {
    if (holds) marks += (marks.empty() ? "" : ",") + std::string(mark);
  };
  add(quantity.fitted, "fitted");
  add(quantity.estimate, "estimate");
  add(unpublished, "unpublished");
  return marks;
}

/// What only programs need is left out of the table.
class Rows {
 public:
  explicit Rows(Form form) : form_(form), table_(columns(form)) {}

  void add_keys(const Study& study) {
    for (const Param& param : params()) {
      if (!param.read) continue;
      add({"study", param.key, value_text(param.read(study), form_), param.unit, param.unpublished ? "unpublished" : "",
           param.help, std::string(name_of(param.type)), bound_text(param, param.min), bound_text(param, param.max),
           fmt::format("{}", fmt::join(param.choices, " | "))});
    }
  }

  /// `counts`: whether a key plays a part; null: all do.
  void add_quantities(const char* of, const spec::TomlFile& file, const std::vector<std::string>& unpublished = {},
                      bool (*counts)(std::string_view key) = nullptr) {
    for (const auto& [key, quantity] : file.quantities()) {
      // Numbers of the chosen profile stand in their places already, and those of the others play no part.
      if (key.starts_with("profiles.") || (counts != nullptr && !counts(key))) continue;
      add({of, key, number_text(quantity.value, form_), quantity.unit,
           mark_text(quantity, std::ranges::find(unpublished, key) != unpublished.end()), quantity.source, "number", "",
           "", ""});
    }
  }

  /// A table has them apart, see print_lists().
  void add_lists(const char* of, const spec::TomlFile& file) {
    if (form_ == Form::table) return;
    for (const auto& [key, list] : file.lists())
      add({of, key, list_text(list), "", "", list.source, "list of numbers"});
  }

  [[nodiscard]] const Table& table() const { return table_; }

 private:
  static std::vector<Column> columns(Form form) {
    std::vector<Column> columns{{"of"}, {"key"}, {"value", Align::right}, {"unit"}, {"mark"}, {"source"}};
    if (form != Form::table) columns.insert(columns.end(), {{"type"}, {"least"}, {"most"}, {"choices"}});
    return columns;
  }

  void add(std::vector<std::string> cells) {
    cells.resize(table_.columns().size());
    table_.add_row(std::move(cells));
  }

  Form form_;
  Table table_;
};

/// Of a host: a simulated core has its bus and the driver's times, and a clock, a timer and interrupts of its own.
bool counts_on_core(std::string_view key) {
  return !key.starts_with("work.") && key != "timer_tick" && key != "interrupt_latency";
}

int inputs(const InputsFlags& flags) {
  const Study study = load_study(flags.study);
  const ProcessorProfile host = load_host(study);
  Rows rows(flags.form);
  rows.add_keys(study);
  const spec::TomlFile part = part_in_use(study, host);
  rows.add_quantities("part", part);
  rows.add_lists("part", part);
  rows.add_quantities("host", open_host(study), {}, study.on_core() ? counts_on_core : nullptr);
  if (study.on_core()) {
    (void)load_core(study);
    rows.add_quantities("core", open_core(study));
  }
  if (study.workload.kind == "scenario") {
    (void)load_scenario(study);  // a misspelt override is refused, not listed
    const spec::TomlFile scenario = open_scenario(study);
    rows.add_quantities("scenario", scenario, unpublished_parameters(scenario));
  }
  print(rows.table(), flags.form);
  if (flags.form == Form::table) print_lists(part);
  return kOk;
}

}  // namespace

void register_inputs(CLI::App& app, Action& action) {
  auto flags = std::make_shared<InputsFlags>();
  CLI::App* command =
      app.add_subcommand("inputs", "list every number and choice that a study stands on, with its source");
  command->footer(
      "Examples:\n"
      "  ftlab inputs                           a study of defaults\n"
      "  ftlab inputs study.toml --set seed=2   a study with another value\n"
      "  ftlab inputs out/study/result.json     what a result stands on");
  add_study_options(*command, flags->study, StudyFile::optional);
  add_form_options(*command, flags->form);
  command->callback([&action, flags] { action = [flags] { return inputs(*flags); }; });
}

}  // namespace ftlab::platform::cli
