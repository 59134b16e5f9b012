#include "platform/cli/reproduce_text.h"

#include <fmt/format.h>

#include "platform/cli/table.h"

namespace ftlab::platform::cli {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kVariantsALine = 2;  // 20 % less, 20 % more

std::string deviation_text(const ordered_json& cell, const char* key, bool sign) {
  const ordered_json& value = cell.at(key);
  if (value.is_null()) return "";
  const double d = value.get<double>();
  if (cell.at("deviation_kind") == "relative") {
    return sign ? fmt::format("{:+.2f} %", d * 100) : fmt::format("{:.2f} %", d * 100);
  }
  return sign ? fmt::format("{:+.2f}", d) : fmt::format("{:.2f}", d);
}

std::string verdict_text(const ordered_json& cell, bool colours) {
  const std::string verdict = cell.at("verdict").get<std::string>();
  if (verdict == "fail") return colours ? "\033[31mDIFFERS\033[0m" : "DIFFERS";
  if (verdict == "pass") return colours ? "\033[32mok\033[0m" : "ok";
  return "reported";
}

const ordered_json& quantity_named(const ordered_json& experiment, const ordered_json& name) {
  for (const auto& quantity : experiment.at("quantities")) {
    if (quantity.at("name") == name) return quantity;
  }
  throw std::logic_error("reproduce.json names no quantity " + name.dump());
}

std::string titled(const ordered_json& quantity) {
  const std::string unit = quantity.at("unit").get<std::string>();
  return quantity.at("title").get<std::string>() + (unit.empty() ? "" : " [" + unit + "]");
}

/// What the figures owe to values that the papers leave open; empty without such runs.
std::string sensitivity_text(const ordered_json& experiment) {
  const ordered_json& sensitivity = experiment.value("sensitivity", ordered_json());
  if (sensitivity.is_null()) return "";
  std::vector<Column> columns{{"Unpublished value"}, {"Used"}};
  for (const auto& key : experiment.at("keys")) columns.push_back({key.at("title").get<std::string>()});
  columns.push_back({"Quantity"});
  columns.push_back({"Ours", Align::right});
  for (std::size_t i = 0; i < kVariantsALine; ++i) {
    for (const char* title : {"Changed to", "Gives"}) columns.push_back({title, Align::right});
  }
  Table table(columns);
  for (const auto& effect : sensitivity.at("effects")) {
    const ordered_json& quantity = quantity_named(experiment, effect.at("quantity"));
    const auto number = [&quantity](const ordered_json& v) {
      return fmt::format("{:.{}f}", v.get<double>(), quantity.at("decimals").get<int>());
    };
    std::vector<std::string> cells{effect.at("name").get<std::string>(), effect.at("used").get<std::string>()};
    for (const auto& key : experiment.at("keys")) {
      cells.push_back(effect.at("keys").at(key.at("name").get<std::string>()).get<std::string>());
    }
    cells.push_back(titled(quantity));
    cells.push_back(number(effect.at("ours")));
    const std::size_t heads = cells.size();
    for (const auto& variant : effect.at("variants")) {
      if (cells.size() == heads + 2 * kVariantsALine) {
        table.add_row(cells);
        cells.assign(heads, "");
      }
      cells.push_back(variant.at("value").get<std::string>());
      cells.push_back(number(variant.at("ours")));
    }
    table.add_row(cells);
  }
  std::string text = "\nUnpublished values, one at a time 20 % lower and higher:\n";
  if (!sensitivity.at("effects").empty()) text += table.text(colours_wanted());
  std::string none;
  for (const auto& name : sensitivity.at("without_effect")) {
    none += (none.empty() ? "" : ", ") + name.get<std::string>();
  }
  if (!none.empty()) text += "No effect: " + none + "\n";
  return text;
}

}  // namespace

std::string experiment_text(const ordered_json& experiment) {
  const bool colours = colours_wanted();
  std::vector<Column> columns;
  for (const auto& key : experiment.at("keys")) columns.push_back({key.at("title").get<std::string>()});
  columns.push_back({"Quantity"});
  for (const char* title : {"Paper", "Ours", "+-", "Deviation", "Allowed"}) columns.push_back({title, Align::right});
  columns.push_back({"Verdict"});
  Table table(columns);
  for (const auto& row : experiment.at("rows")) {
    for (const auto& cell : row.at("cells")) {
      const ordered_json& quantity = quantity_named(experiment, cell.at("quantity"));
      const int decimals = quantity.at("decimals").get<int>();
      const auto number = [decimals](const ordered_json& v) {
        return v.is_null() ? std::string() : fmt::format("{:.{}f}", v.get<double>(), decimals);
      };
      std::vector<std::string> cells;
      for (const auto& key : experiment.at("keys")) {
        cells.push_back(row.at("keys").at(key.at("name").get<std::string>()).get<std::string>());
      }
      cells.push_back(titled(quantity));
      cells.push_back(number(cell.at("paper")));
      cells.push_back(number(cell.at("ours")));
      cells.push_back(number(cell.at("standard_error")));
      cells.push_back(deviation_text(cell, "deviation", true));
      cells.push_back(deviation_text(cell, "allowed", false));
      cells.push_back(verdict_text(cell, colours));
      table.add_row(cells);
    }
  }
  std::string text =
      fmt::format("{}  ({})\n{}\nSeeds: {}\n\n{}", experiment.at("title").get<std::string>(),
                  experiment.at("paper_source").get<std::string>(), experiment.value("about", std::string()),
                  experiment.at("seeds").dump(), table.text(colours));
  for (const auto& note : experiment.value("notes", ordered_json::array())) {
    text += "Note: " + note.get<std::string>() + "\n";
  }
  return text + sensitivity_text(experiment);
}

std::string parameters_text(const ordered_json& reproduce) {
  Table table({{"Fitted, unpublished or estimated"}, {"Value", Align::right}, {"Unit"}, {"How"}, {"Source"}});
  for (const auto& parameter : reproduce.at("parameters")) {
    const bool fitted = parameter.at("fitted").get<bool>();
    const bool free = parameter.value("free", false);
    const bool estimate = parameter.contains("note");
    if (!fitted && !free && !estimate) continue;
    std::string how = fitted ? "fitted" : "";
    if (free) how += how.empty() ? "unpublished" : ", unpublished";
    if (estimate) how += how.empty() ? "estimate" : ", estimate";
    const ordered_json& value = parameter.at("value");
    table.add_row({parameter.at("group").get<std::string>() + " " + parameter.at("name").get<std::string>(),
                   value.is_string() ? value.get<std::string>() : fmt::format("{:g}", value.get<double>()),
                   parameter.at("unit").get<std::string>(), how, parameter.at("source").get<std::string>()});
  }
  std::string text = table.text(colours_wanted());
  text += "\nWhat does not reproduce:\n";
  for (const auto& point : reproduce.at("not_reproduced")) {
    text += fmt::format("- {}: {}\n", point.at("title").get<std::string>(), point.at("text").get<std::string>());
  }
  return text;
}

}  // namespace ftlab::platform::cli
