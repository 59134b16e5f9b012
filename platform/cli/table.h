// Aligned columns for a console. Knows widths and alignment; nothing of what the cells say.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ftlab::platform::cli {

enum class Align { left, right };

struct Column {
  std::string title;
  Align align = Align::left;
};

class Table {
 public:
  explicit Table(std::vector<Column> columns);
  /// Missing cells stay empty; more cells than columns is a broken contract (std::logic_error).
  void add_row(std::vector<std::string> cells);
  /// A line across the table.
  void add_rule();
  /// Every line ends in '\n'; no trailing blanks. `bold`: the head in bold (escape codes). `width` above 0: where a
  /// line would be longer, the widest columns of words are broken into several lines, as far as words go; where that
  /// is not enough, or takes far more lines, each row is a paragraph (first cell in bold) and no line is longer.
  [[nodiscard]] std::string text(bool bold = false, std::size_t width = 0) const;

  [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }
  /// Without the rules; as many cells as columns in each.
  [[nodiscard]] std::vector<std::vector<std::string>> rows() const;

 private:
  [[nodiscard]] std::string paragraphs(bool bold, std::size_t width) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;  ///< an empty row is a rule
};

/// Characters, not bytes: UTF-8 continuation bytes do not count.
std::size_t display_width(std::string_view text);
/// Columns of the terminal that standard output is: by its own word, else COLUMNS, else 80. 0 when it is none, so that
/// pipes and files get whole lines.
std::size_t terminal_width();
/// Words as lines of at most `width` characters, each ending in '\n' and begun by `indent` blanks; 0: one line.
std::string paragraph(std::string_view text, std::size_t width, std::size_t indent = 0);
/// Standard output is a terminal and NO_COLOR is not set.
bool colours_wanted();
/// To standard output.
void print(const Table& table);

}  // namespace ftlab::platform::cli
