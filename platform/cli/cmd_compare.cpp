// `ftlab compare A B`: what differs in the configuration, then every result of both with their ratio.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "platform/cli/commands.h"
#include "platform/cli/compare.h"
#include "platform/cli/listing.h"
#include "platform/cli/table.h"
#include "platform/study/result_file.h"

namespace ftlab::platform::cli {
namespace {

struct CompareFlags {
  std::string a;
  std::string b;
  bool all = false;
  Form form = Form::table;
};

std::string version_of(const nlohmann::ordered_json& result) {
  const auto run = result.find("run");
  return run != result.end() && run->is_object() ? run->value("ftlab_version", "?") : "?";
}

/// What stands in place of a table when no key differs.
std::string same_text(const nlohmann::ordered_json& a, const nlohmann::ordered_json& b, const Comparison& comparison) {
  const bool same_results = std::ranges::all_of(comparison.results, &Difference::same);
  if (same_results || version_of(a) == version_of(b)) return "Same configuration.";
  return fmt::format("Same configuration; the results are of ftlab {} and ftlab {}.", version_of(a), version_of(b));
}

void print_config(const CompareFlags& options, const std::vector<Difference>& rows) {
  Table table({{"configuration"}, {options.a}, {options.b}});
  for (const Difference& row : rows) table.add_row({row.key, row.a, row.b});
  print(table);
  fmt::print("\n");
}

std::string results_are(std::size_t count) { return count == 1 ? "1 result is" : fmt::format("{} results are", count); }

/// For programs: one list, configuration first.
void print_list(const CompareFlags& options, const Comparison& comparison) {
  Table table({{"part"}, {"key"}, {"a"}, {"b"}, {"ratio"}});
  for (const Difference& row : comparison.config) table.add_row({"configuration", row.key, row.a, row.b, ""});
  for (const Difference& row : comparison.results) {
    if (options.all || !row.same) table.add_row({"result", row.key, row.a, row.b, row.ratio});
  }
  print(table, options.form);
}

int compare(const CompareFlags& options) {
  const nlohmann::ordered_json a = read_result(options.a);
  const nlohmann::ordered_json b = read_result(options.b);
  const Comparison comparison = compare_results(a, b);
  if (options.form != Form::table) {
    print_list(options, comparison);
    return kOk;
  }
  if (comparison.config.empty()) {
    fmt::print("{}\n\n", same_text(a, b, comparison));
  } else {
    print_config(options, comparison.config);
  }
  Table table({{"result"}, {options.a, Align::right}, {options.b, Align::right}, {"B/A", Align::right}});
  std::size_t missing_a = 0;
  std::size_t missing_b = 0;
  std::size_t same = 0;
  std::size_t shown = 0;
  for (const Difference& row : comparison.results) {
    missing_a += row.a == "-" ? 1 : 0;
    missing_b += row.b == "-" ? 1 : 0;
    if (row.same) {
      ++same;
      if (!options.all) continue;
    }
    table.add_row({row.key, row.a, row.b, row.ratio});
    ++shown;
  }
  if (shown > 0) print(table);
  const bool says_same = !options.all && same > 0;
  if (shown > 0 && (says_same || missing_a + missing_b > 0)) fmt::print("\n");
  if (says_same) fmt::print("{} the same in both (--all shows them).\n", results_are(same));
  if (missing_a > 0) fmt::print("{} missing in {}.\n", results_are(missing_a), options.a);
  if (missing_b > 0) fmt::print("{} missing in {}.\n", results_are(missing_b), options.b);
  return kOk;
}

}  // namespace

void register_compare(CLI::App& app, Action& action) {
  auto options = std::make_shared<CompareFlags>();
  CLI::App* command = app.add_subcommand("compare", "put two results side by side");
  command->add_option("A", options->a, "result.json, or a folder that holds one")->required();
  command->add_option("B", options->b, "the other one")->required();
  command->add_flag("--all", options->all, "also what is the same in both");
  add_form_options(*command, options->form);
  command->footer(
      "Examples:\n"
      "  ftlab compare out/greedy out/cat         keys that differ, then results with their ratio\n"
      "  ftlab compare out/greedy out/cat --csv   one list for programs");
  command->callback([&action, options] { action = [options] { return compare(*options); }; });
}

}  // namespace ftlab::platform::cli
