// `ftlab policies`: the exchangeable pieces of the translation layers, from the rows of the firmwares.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "platform/cli/commands.h"
#include "platform/cli/listing.h"
#include "platform/cli/python.h"
#include "platform/study/firmware_row.h"

namespace ftlab::platform::cli {
namespace {

/// Firmwares in the order of their keys: those of [ftl] come first.
std::vector<const FirmwareRow*> firmwares() {
  std::vector<const FirmwareRow*> all(firmware_list().begin(), firmware_list().end());
  std::stable_partition(all.begin(), all.end(), [](const FirmwareRow* row) { return row->table.name.empty(); });
  return all;
}

/// Only policies of the default firmware, and those of a table of its own, are known by their key.
std::string help_of(const PolicyText& policy, const FirmwareRow& firmware) {
  if (firmware.name == default_firmware() || !policy.key.starts_with("ftl.")) return policy.help;
  return fmt::format("{}; ftl.firmware = \"{}\"", policy.help, firmware.name);
}

int policies(const std::string& word, Form form) {
  Table table({{"key"}, {"name"}, {"what it does"}});
  std::string before;
  for (const FirmwareRow* firmware : firmwares()) {
    if (firmware->policies == nullptr) continue;
    for (const PolicyText& policy : firmware->policies()) {
      if (!before.empty() && before != policy.key) table.add_rule();
      before = policy.key;
      table.add_row({policy.key, std::string(policy.name), help_of(policy, *firmware)});
    }
  }
  print(mentioning(table, word, "ftlab policies"), form);
  return kOk;
}

/// Runs are Python's.
[[noreturn]] void on_parts(const std::string& word, Form form) {
  std::vector<std::string> words;
  if (!word.empty()) words.push_back(word);
  if (form != Form::table) words.emplace_back(form == Form::json ? "--json" : "--csv");
  become_python("on-parts", words);
}

}  // namespace

void register_policies(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("policies", "cleaning, separation, migration and wear-leveling policies");
  auto word = std::make_shared<std::string>();
  command->add_option("WORD", *word, "only policies that mention this word");
  auto form = std::make_shared<Form>();
  add_form_options(*command, *form);
  auto runs = std::make_shared<bool>(false);
  command->add_flag("--on-parts", *runs,
                    "simulate each on a NOR card, a Flex-OneNAND and an array of 8 dies: figures, or why it "
                    "does not work there");
  command->footer(
      "Examples:\n"
      "  ftlab policies\n"
      "  ftlab policies wear      those that mention wear\n"
      "  ftlab policies --csv\n"
      "  ftlab policies cat --on-parts");
  command->callback([&action, word, form, runs] {
    action = [word, form, runs]() -> int {
      if (*runs) on_parts(*word, *form);
      return policies(*word, *form);
    };
  });
}

}  // namespace ftlab::platform::cli
