// Widths are counted once, when the text is made: tables are short.
#include "platform/cli/table.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
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

std::size_t total_of(const std::vector<std::size_t>& widths) {
  std::size_t total = widths.empty() ? 0 : kGap.size() * (widths.size() - 1);
  for (const std::size_t width : widths) total += width;
  return total;
}

/// The longest word of a column; names are not broken, what is longer than any name is.
std::size_t narrowest(const std::vector<std::vector<std::string>>& rows, std::size_t column) {
  constexpr std::size_t kLongestName = 40;
  std::size_t longest = 0;
  for (const auto& row : rows) {
    std::string_view rest = column < row.size() ? std::string_view(row[column]) : std::string_view{};
    while (!rest.empty()) {
      const std::size_t blank = std::min(rest.find(' '), rest.size());
      longest = std::max(longest, display_width(rest.substr(0, blank)));
      rest.remove_prefix(std::min(blank + 1, rest.size()));
    }
  }
  constexpr std::size_t kReadable = 16;
  return std::clamp(longest, kReadable, kLongestName);
}

/// Takes from the widest columns of words until the line fits, or they are as narrow as their words.
void narrow(std::vector<std::size_t>& widths, const std::vector<Column>& columns,
            const std::vector<std::vector<std::string>>& rows, std::size_t width) {
  std::vector<std::size_t> least;
  for (std::size_t i = 0; i < columns.size(); ++i) least.push_back(narrowest(rows, i));
  while (total_of(widths) > width) {
    std::size_t widest = widths.size();
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const bool can = columns[i].align == Align::left && widths[i] > least[i];
      if (can && (widest == widths.size() || widths[i] > widths[widest])) widest = i;
    }
    if (widest == widths.size()) return;
    --widths[widest];
  }
}

/// Bytes of the first `characters` characters.
std::size_t bytes_of(std::string_view text, std::size_t characters) {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    const bool begins = (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U;
    if (begins && characters-- == 0) return at;
  }
  return at;
}

/// Broken at blanks; a longer word is broken where it has to be.
std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (display_width(text) > width) {
    const std::size_t most = bytes_of(text, width);
    const std::size_t blank = text.substr(0, most + 1).rfind(' ');
    const bool at_blank = blank != std::string_view::npos && blank > 0;
    lines.emplace_back(text.substr(0, at_blank ? blank : most));
    text.remove_prefix(at_blank ? blank + 1 : most);
  }
  lines.emplace_back(text);
  return lines;
}

/// One row, of as many lines as its longest cell needs.
std::string lines_of(const std::vector<std::string>& cells, const std::vector<Column>& columns,
                     const std::vector<std::size_t>& widths) {
  std::vector<std::vector<std::string>> broken;
  std::size_t height = 1;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    broken.push_back(wrapped(cells[i], widths[i]));
    height = std::max(height, broken.back().size());
  }
  std::string text;
  for (std::size_t line = 0; line < height; ++line) {
    std::vector<std::string> parts;
    parts.reserve(broken.size());
    for (const auto& cell : broken) parts.push_back(line < cell.size() ? cell[line] : std::string{});
    text += (line == 0 ? "" : "\n") + line_of(parts, columns, widths);
  }
  return text;
}

}  // namespace

std::size_t terminal_width() {
  if (::isatty(STDOUT_FILENO) == 0) return 0;
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const char* columns = std::getenv("COLUMNS");
  const long given = columns == nullptr ? 0 : std::strtol(columns, nullptr, 10);
  constexpr std::size_t kUsual = 80;
  return given > 0 ? static_cast<std::size_t>(given) : kUsual;
}

std::string paragraph(std::string_view text, std::size_t width, std::size_t indent) {
  if (width == 0) return std::string(indent, ' ') + std::string(text) + "\n";
  std::string lines;
  // A terminal narrower than the indentation still gets a letter a line.
  for (const std::string& line : wrapped(text, width > indent ? width - indent : 1))
    lines += (line.empty() ? "" : std::string(indent, ' ') + line) + "\n";
  return lines;
}

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

std::vector<std::vector<std::string>> Table::rows() const {
  std::vector<std::vector<std::string>> found;
  std::ranges::copy_if(rows_, std::back_inserter(found), [](const auto& row) { return !row.empty(); });
  return found;
}

std::string Table::text(bool bold, std::size_t width) const {
  std::vector<std::size_t> widths;
  std::vector<std::string> titles;
  for (const Column& column : columns_) {
    widths.push_back(display_width(column.title));
    titles.push_back(column.title);
  }
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
  }
  if (width > 0) narrow(widths, columns_, rows_, width);
  const std::string rule(total_of(widths), '-');
  const std::string head = lines_of(titles, columns_, widths);
  std::string out = fmt::format(fmt::runtime(bold ? "\033[1m{}\033[0m\n{}\n" : "{}\n{}\n"), head, rule);
  for (const auto& row : rows_) out += (row.empty() ? rule : lines_of(row, columns_, widths)) + '\n';
  if (width == 0) return out;
  std::string other = paragraphs(bold, width);
  constexpr auto kFarMore = 2;
  const bool tall = std::ranges::count(out, '\n') > kFarMore * std::ranges::count(other, '\n');
  return total_of(widths) > width || tall ? other : out;
}

std::string Table::paragraphs(bool bold, std::size_t width) const {
  constexpr std::size_t kIndent = 4;
  std::string out;
  for (const auto& row : rows_) {
    if (row.empty()) {
      out += '\n';
      continue;
    }
    const std::string name = paragraph(row.front(), width);
    out += bold ? fmt::format("\033[1m{}\033[0m\n", std::string_view(name).substr(0, name.size() - 1)) : name;
    std::string line;
    for (std::size_t i = 1; i + 1 < row.size(); ++i) {
      if (row[i].empty()) continue;
      const std::string cell = columns_[i].title + " " + row[i];
      if (!line.empty() && kIndent + display_width(line) + kGap.size() + display_width(cell) > width) {
        out += paragraph(line, width, kIndent);
        line.clear();
      }
      line += (line.empty() ? "" : std::string(kGap)) + cell;
    }
    if (!line.empty()) out += paragraph(line, width, kIndent);
    if (row.size() > 1 && !row.back().empty()) out += paragraph(row.back(), width, kIndent);
  }
  return out;
}

void print(const Table& table) { fmt::print("{}", table.text(colours_wanted(), terminal_width())); }

}  // namespace ftlab::platform::cli
