// `ftlab policies`: the exchangeable pieces of both firmwares, from their own tables.
#include <CLI/CLI.hpp>

#include "firmware/ftl/flexfs/flexfs_config.h"
#include "firmware/ftl/flexfs/victims.h"
#include "firmware/policy/policies.h"
#include "platform/cli/commands.h"
#include "platform/cli/table.h"

namespace ftlab::platform::cli {
namespace {

template <class Entry>
void add_rows(Table& table, const char* key, std::span<const Entry> entries) {
  for (const Entry& entry : entries) table.add_row({key, std::string(entry.name), std::string(entry.help)});
}

/// Names the keys that count with the policy, if it has any.
std::string keys_of(const fms::PolicyEntry& entry) {
  std::string keys;
  for (const Field<fms::ParamBlock>& field : entry.fields)
    keys += (keys.empty() ? " (" : ", ") + ("ftl." + std::string(field.name));
  return keys.empty() ? keys : keys + ")";
}

int policies() {
  Table table({{"key"}, {"name"}, {"what it does"}});
  for (const fms::PolicyFamily& family : fms::policy_families()) {
    for (const fms::PolicyEntry& entry : family.members)
      table.add_row(
          {"ftl." + std::string(family.key), std::string(entry.name), std::string(entry.help) + keys_of(entry)});
    table.add_rule();
  }
  add_rows(table, "flexfs.scheme", flexfs::schemes());
  table.add_rule();
  add_rows(table, "flexfs.migration_victim", flexfs::migration_victims());
  table.add_rule();
  add_rows(table, "flexfs.free_choice", flexfs::free_choices());
  print(table);
  return kOk;
}

}  // namespace

void register_policies(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("policies", "cleaning, migration and wear-leveling policies");
  command->callback([&action] { action = policies; });
}

}  // namespace ftlab::platform::cli
