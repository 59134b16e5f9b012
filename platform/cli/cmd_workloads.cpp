// `ftlab workloads`: the kinds of workloads, the trace formats and the ways to map a trace, with one line each.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "platform/cli/commands.h"
#include "platform/cli/listing.h"
#include "workloads/traces/mapping/address_map.h"
#include "workloads/traces/trace_formats.h"
#include "workloads/workloads.h"

namespace ftlab::platform::cli {
namespace {

template <class Entry>
const Entry& entry_of(const Entry& entry) {
  return entry;
}
template <class Entry>
const Entry& entry_of(const Entry* entry) {
  return *entry;
}

/// Entries have a name and one line of help. `key` stands before each where all go into one listing.
template <class Entries>
void add_entries(Table& table, const std::string& key, const Entries& entries) {
  for (const auto& member : entries) {
    const auto& entry = entry_of(member);
    std::vector<std::string> cells = {std::string(entry.name), std::string(entry.help)};
    if (!key.empty()) cells.insert(cells.begin(), key);
    table.add_row(std::move(cells));
  }
}

template <class Visit>
void for_each_kind(Visit&& visit) {
  visit("workload.kind", workloads::workload_kinds());
  visit("workload.format", workloads::trace_formats());
  visit("workload.address", workloads::address_maps());
}

int print_workloads(const std::string& word, Form form) {
  if (form == Form::table && word.empty()) {
    bool first = true;
    for_each_kind([&first](const std::string& key, const auto& entries) {
      Table table({{key}, {"what it is"}});
      add_entries(table, "", entries);
      fmt::print("{}", first ? "" : "\n");
      print(table);
      first = false;
    });
    return kOk;
  }
  Table table({{"key"}, {"name"}, {"what it is"}});
  for_each_kind([&table](const std::string& key, const auto& entries) { add_entries(table, key, entries); });
  print(mentioning(table, word, "ftlab workloads"), form);
  return kOk;
}

}  // namespace

void register_workloads(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("workloads", "list the workloads, trace formats and address mappings");
  auto word = std::make_shared<std::string>();
  command->add_option("WORD", *word, "only those that mention this word");
  auto form = std::make_shared<Form>();
  add_form_options(*command, *form);
  command->footer(
      "Examples:\n"
      "  ftlab workloads\n"
      "  ftlab workloads --json");
  command->callback([&action, word, form] { action = [word, form] { return print_workloads(*word, *form); }; });
}

}  // namespace ftlab::platform::cli
