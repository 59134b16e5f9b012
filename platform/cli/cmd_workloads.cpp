// `ftlab workloads`: the kinds of workloads, the trace formats and the ways to map a trace, with one line each.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>

#include "platform/cli/commands.h"
#include "platform/cli/table.h"
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

/// Entries have a name and one line of help.
template <class Entries>
void print_entries(const std::string& title, const Entries& entries) {
  Table table({{title}, {"what it is"}});
  for (const auto& member : entries) {
    const auto& entry = entry_of(member);
    table.add_row({std::string(entry.name), std::string(entry.help)});
  }
  print(table);
}

int print_workloads() {
  print_entries("workload.kind", workloads::workload_kinds());
  fmt::print("\n");
  print_entries("workload.format", workloads::trace_formats());
  fmt::print("\n");
  print_entries("workload.address", workloads::address_maps());
  return kOk;
}

}  // namespace

void register_workloads(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("workloads", "list the workloads, trace formats and address mappings");
  command->callback([&action] { action = print_workloads; });
}

}  // namespace ftlab::platform::cli
