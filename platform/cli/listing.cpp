#include "platform/cli/listing.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "common/input_error.h"

namespace ftlab::platform::cli {
namespace {

std::string json_of(const Table& table) {
  auto rows = nlohmann::ordered_json::array();
  for (const auto& cells : table.rows()) {
    auto row = nlohmann::ordered_json::object();
    for (std::size_t i = 0; i < cells.size(); ++i) row[table.columns()[i].title] = cells[i];
    rows.push_back(std::move(row));
  }
  return rows.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string csv_of(const Table& table) {
  std::string text;
  for (const Column& column : table.columns()) text += (text.empty() ? "" : ",") + csv_cell(column.title);
  text += "\r\n";
  for (const auto& cells : table.rows()) {
    for (std::size_t i = 0; i < cells.size(); ++i) text += (i == 0 ? "" : ",") + csv_cell(cells[i]);
    text += "\r\n";
  }
  return text;
}

}  // namespace

void add_form_options(CLI::App& command, Form& form, const std::string& json_help, const std::string& csv_help) {
  CLI::Option* json = command.add_flag_callback(
      "--json", [&form] { form = Form::json; }, json_help);
  command
      .add_flag_callback(
          "--csv", [&form] { form = Form::csv; }, csv_help)
      ->excludes(json);
}

std::string listing_text(const Table& table, Form form) {
  switch (form) {
    case Form::json:
      return json_of(table);
    case Form::csv:
      return csv_of(table);
    case Form::table:
      break;
  }
  return table.text(colours_wanted(), terminal_width());
}

bool mentions(std::string_view text, std::string_view word) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  const auto same = [&lower](char a, char b) { return lower(a) == lower(b); };
  return std::search(text.begin(), text.end(), word.begin(), word.end(), same) != text.end() || word.empty();
}

Table mentioning(const Table& table, const std::string& word, std::string_view command) {
  if (word.empty()) return table;
  Table found(table.columns());
  bool any = false;
  for (const auto& row : table.rows()) {
    if (std::ranges::none_of(row, [&word](const std::string& cell) { return mentions(cell, word); })) continue;
    found.add_row(row);
    any = true;
  }
  if (!any) throw InputError(fmt::format("nothing mentions '{}'; `{}` lists all", word, command));
  return found;
}

void print(const Table& table, Form form) { fmt::print("{}", listing_text(table, form)); }

}  // namespace ftlab::platform::cli
