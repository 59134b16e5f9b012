// Widths are counted once, when the text is made: tables are short.
#include "platform/cli/table.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace ftlab::platform::cli {
namespace {

constexpr std::string_view kGap = "  ";

std::string line_of(const std::vector<std::string>& cells, const std::vector<Column>& columns,
                    const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) line += kGap;
    const std::string_view cell = i < cells.size() ? std::string_view(cells[i]) : std::string_view{};
    const std::string pad(widths[i] - display_width(cell), ' ');
    if (columns[i].align == Align::right) line += pad;
    line += cell;
    if (columns[i].align == Align::left) line += pad;
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

bool colours_wanted() {
  const char* no_color = std::getenv("NO_COLOR");
  return ::isatty(STDOUT_FILENO) == 1 && (no_color == nullptr || *no_color == '\0');
}

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

void Table::add_row(std::vector<std::string> cells) {
  if (cells.size() > columns_.size()) throw std::logic_error("table row has more cells than the table has columns");
  cells.resize(std::max<std::size_t>(columns_.size(), 1));
  rows_.push_back(std::move(cells));
}

void Table::add_rule() { rows_.emplace_back(); }

std::string Table::text(bool bold) const {
  std::vector<std::size_t> widths;
  std::vector<std::string> titles;
  for (const Column& column : columns_) {
    widths.push_back(display_width(column.title));
    titles.push_back(column.title);
  }
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
  }
  std::size_t total = widths.empty() ? 0 : kGap.size() * (widths.size() - 1);
  for (const std::size_t width : widths) total += width;
  const std::string rule(total, '-');
  const std::string head = line_of(titles, columns_, widths);
  std::string out = fmt::format(fmt::runtime(bold ? "\033[1m{}\033[0m\n{}\n" : "{}\n{}\n"), head, rule);
  for (const auto& row : rows_) out += (row.empty() ? rule : line_of(row, columns_, widths)) + '\n';
  return out;
}

void print(const Table& table) { fmt::print("{}", table.text(colours_wanted())); }

}  // namespace ftlab::platform::cli
