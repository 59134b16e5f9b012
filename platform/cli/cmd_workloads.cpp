// `ftlab workloads`: the kinds of workloads, the trace formats and the ways to map a trace, with one line each.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "platform/cli/commands.h"
#include "platform/cli/table.h"
#include "workloads/traces/mapping/address_map.h"
#include "workloads/traces/trace_formats.h"
#include "workloads/workloads.h"

namespace ftlab::platform::cli {
namespace {

/// Entries have a name and one line of help.
template <class Entries>
void print_entries(const std::string& title, const Entries& entries) {
  Table table({{title}, {"what it is"}});
  for (const auto& entry : entries) table.add_row({std::string(entry.name), std::string(entry.help)});
  print(table);
}

int print_workloads() {
  print_entries("workload.kind", workloads::workload_kinds());
  fmt::print("\n");
  std::vector<workloads::TraceFormat> formats;
  formats.reserve(workloads::trace_formats().size());
  for (const workloads::TraceFormat* const format : workloads::trace_formats()) formats.push_back(*format);
  print_entries("workload.format", formats);
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
