#include "platform/cli/table.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace ftlab::platform::cli {
namespace {

TEST(Table, columns_are_as_wide_as_their_widest_cell) {
  Table table({{"name"}, {"count", Align::right}});
  table.add_row({"a", "1"});
  table.add_row({"longer name", "12345"});
  EXPECT_EQ(table.text(),
            "name         count\n"
            "------------------\n"
            "a                1\n"
            "longer name  12345\n");
}

TEST(Table, characters_are_counted_not_bytes) {
  EXPECT_EQ(display_width("µs ±5"), 5U);
  Table table({{"unit"}, {"x"}});
  table.add_row({"µs", "1"});
  EXPECT_EQ(table.text(), "unit  x\n-------\nµs    1\n");
}

TEST(Table, missing_cells_are_empty_and_lines_have_no_trailing_blanks) {
  Table table({{"a"}, {"b"}});
  table.add_row({"x"});
  table.add_rule();
  table.add_row({"y", "z"});
  EXPECT_EQ(table.text(), "a  b\n----\nx\n----\ny  z\n");
}

TEST(Table, columns_of_words_are_broken_at_blanks_where_the_line_is_too_long) {
  Table table({{"key"}, {"n", Align::right}, {"help"}});
  table.add_row({"alpha", "12", "words that explain the µ key in a sentence"});
  table.add_row({"beta", "3", "short"});
  EXPECT_EQ(table.text(false, 30),
            "key     n  help\n"
            "------------------------------\n"
            "alpha  12  words that explain\n"
            "           the µ key in a\n"
            "           sentence\n"
            "beta    3  short\n");
  EXPECT_EQ(table.text(false, 80), table.text()) << "what fits is left alone";
}

TEST(Table, word_longer_than_its_column_is_broken_and_numbers_never_are) {
  Table table({{"n", Align::right}, {"digest"}});
  const std::string name(20, 'x');
  table.add_row({"123456789012345678", name});
  EXPECT_NE(table.text(false, 30).find(name), std::string::npos) << "names are whole where they fit";
  const std::string digest(64, 'a');
  table.add_row({"1", digest});
  EXPECT_NE(table.text(false, 60).find("\n                 1  " + std::string(40, 'a') + "\n"), std::string::npos);
  EXPECT_NE(table.text(false, 60).find("\n                    " + std::string(24, 'a') + "\n"), std::string::npos);
}

TEST(Table, rows_are_paragraphs_where_columns_do_not_fit) {
  Table table({{"key"}, {"type"}, {"unit"}, {"help"}});
  table.add_row({"a_rather_long_key_name", "integer", "bytes", "what the key is about, in some words"});
  table.add_rule();
  table.add_row({"b", "number", "", "short"});
  EXPECT_EQ(table.text(false, 30),
            "a_rather_long_key_name\n"
            "    type integer  unit bytes\n"
            "    what the key is about, in\n"
            "    some words\n"
            "\n"
            "b\n"
            "    type number\n"
            "    short\n");
}

TEST(Table, too_many_cells_break_the_contract) {
  Table table({{"a"}});
  EXPECT_THROW(table.add_row({"1", "2"}), std::logic_error);
}

TEST(Table, bold_head_uses_escape_codes_only_when_asked) {
  Table table({{"a"}});
  EXPECT_EQ(table.text(true).rfind("\033[1ma\033[0m\n", 0), 0U);
  EXPECT_EQ(table.text().find('\033'), std::string::npos);
}

}  // namespace
}  // namespace ftlab::platform::cli
