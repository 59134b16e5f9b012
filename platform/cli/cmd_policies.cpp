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

/// A piece with all firmwares that have it.
struct Piece {
  PolicyText text;
  std::vector<const FirmwareRow*> of;
};

std::vector<Piece> pieces() {
  std::vector<Piece> all;
  for (const FirmwareRow* firmware : firmwares()) {
    if (firmware->policies == nullptr) continue;
    for (PolicyText& policy : firmware->policies()) {
      const auto known = std::ranges::find_if(all, [&policy](const Piece& piece) {
        return piece.text.key == policy.key && piece.text.name == policy.name && piece.text.help == policy.help;
      });
      if (known != all.end())
        known->of.push_back(firmware);
      else
        all.push_back({std::move(policy), {firmware}});
    }
  }
  return all;
}

/// Only policies of the default firmware, and those of a table of its own, are known by their key.
std::string help_of(const Piece& piece) {
  std::string help = piece.text.help;
  if (!piece.text.key.starts_with("ftl.")) return help;
  const bool by_default = piece.of.front()->name == default_firmware();
  for (const FirmwareRow* firmware : piece.of) {
    if (firmware->name == default_firmware()) continue;
    help += fmt::format("; {}ftl.firmware = \"{}\"", by_default ? "also with " : "", firmware->name);
  }
  return help;
}

int policies(const std::string& word, Form form) {
  Table table({{"key"}, {"name"}, {"what it does"}});
  std::string before;
  for (const Piece& piece : pieces()) {
    if (!before.empty() && before != piece.text.key) table.add_rule();
    before = piece.text.key;
    table.add_row({piece.text.key, std::string(piece.text.name), help_of(piece)});
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
