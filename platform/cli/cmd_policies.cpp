// `ftlab policies`: the exchangeable pieces of the translation layers, from their own tables.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "firmware/ftl/flexfs/flexfs_config.h"
#include "firmware/ftl/flexfs/victims.h"
#include "firmware/ftl/page/pool_choice.h"
#include "firmware/ftl/page/selection.h"
#include "firmware/ftl/page/separation.h"
#include "firmware/policy/policies.h"
#include "platform/cli/commands.h"
#include "platform/cli/listing.h"

namespace ftlab::platform::cli {
namespace {

template <class Entry>
void add_rows(Table& table, const char* key, std::span<const Entry> entries) {
  for (const Entry& entry : entries) table.add_row({key, std::string(entry.name), std::string(entry.help)});
}

/// How many segments the policy keeps open, and the keys that count with it.
std::string needs_of(const fms::PolicyEntry& entry) {
  std::string text;
  if (entry.partitioned) text += "; works on partitions, with others that do";
  if (entry.streams > 0)
    text += entry.streams == 1 ? "; 1 open segment" : fmt::format("; {} open segments", entry.streams);
  std::vector<std::string> keys;
  for (const Field<fms::ParamBlock>& field : entry.fields) keys.push_back("ftl." + std::string(field.name));
  for (const std::string_view key : entry.uses) keys.push_back("ftl." + std::string(key));
  if (!keys.empty()) text += fmt::format("; keys {}", fmt::join(keys, ", "));
  return text;
}

/// Of the page-mapped layer; one key of it has members of the FMS, too.
template <class Entry>
void add_page_row(Table& table, const char* key, const Entry& entry) {
  table.add_row({key, std::string(entry.name), std::string(entry.help) + "; ftl.firmware = \"page\""});
}

void add_page_rows(Table& table) {
  for (std::size_t i = 0; page::selection_at(i) != nullptr; ++i)
    add_page_row(table, "ftl.selection", *page::selection_at(i));
  table.add_rule();
  for (std::size_t i = 0; !page::separation_name(i).empty(); ++i)
    add_page_row(table, "ftl.separation", *page::find_separation(page::separation_name(i)));
  table.add_rule();
  for (std::size_t i = 0; !page::pool_choice_name(i).empty(); ++i)
    add_page_row(table, "ftl.pool_choice", *page::find_pool_choice(page::pool_choice_name(i)));
}

int policies(const std::string& word, Form form) {
  Table table({{"key"}, {"name"}, {"what it does"}});
  for (const fms::PolicyFamily& family : fms::policy_families()) {
    for (const fms::PolicyEntry& entry : family.members)
      table.add_row(
          {"ftl." + std::string(family.key), std::string(entry.name), std::string(entry.help) + needs_of(entry)});
    table.add_rule();
  }
  add_page_rows(table);
  table.add_rule();
  add_rows(table, "flexfs.scheme", flexfs::schemes());
  table.add_rule();
  add_rows(table, "flexfs.migration_victim", flexfs::migration_victims());
  table.add_rule();
  add_rows(table, "flexfs.free_choice", flexfs::free_choices());
  print(mentioning(table, word, "ftlab policies"), form);
  return kOk;
}

}  // namespace

void register_policies(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("policies", "cleaning, separation, migration and wear-leveling policies");
  auto word = std::make_shared<std::string>();
  command->add_option("WORD", *word, "only policies that mention this word");
  auto form = std::make_shared<Form>();
  add_form_options(*command, *form);
  command->footer(
      "Examples:\n"
      "  ftlab policies\n"
      "  ftlab policies wear      those that mention wear\n"
      "  ftlab policies --csv");
  command->callback([&action, word, form] { action = [word, form] { return policies(*word, *form); }; });
}

}  // namespace ftlab::platform::cli
