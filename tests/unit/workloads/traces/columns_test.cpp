#include "workloads/traces/columns.h"

#include <gtest/gtest.h>

#include <string>

namespace ftlab::workloads {
namespace {

template <class Call>
std::string bad(Call&& call) {
  try {
    call();
  } catch (const BadLine& line) {
    return line.what();
  }
  return "accepted";
}

TEST(Columns, commas_keep_empty_columns_and_blanks_do_not) {
  EXPECT_EQ(Columns("a,,b,", Columns::Separator::comma).size(), 4U);
  const Columns blanks("  a \t b  ", Columns::Separator::blanks);
  ASSERT_EQ(blanks.size(), 2U);
  EXPECT_EQ(blanks.text(1), "b");
}

TEST(Columns, last_column_keeps_the_rest_of_a_long_line) {
  const Columns columns("0 1 2 3 4 5 6 7 8 9 a b c d e f g h", Columns::Separator::blanks);
  EXPECT_EQ(columns.size(), 16U);
  EXPECT_EQ(columns.text(15), "f g h");
}

TEST(Columns, numbers_are_read_whole_or_refused_by_name) {
  const Columns columns("18446744073709551615,18446744073709551616,-1,1x,2A,0.5,inf,", Columns::Separator::comma);
  EXPECT_EQ(columns.whole(0, "n"), 18446744073709551615U);
  EXPECT_EQ(bad([&] { return columns.whole(1, "n"); }),
            "column 2 (n): \"18446744073709551616\" is not a whole number of 64 bits");
  EXPECT_EQ(bad([&] { return columns.whole(2, "n"); }), "column 3 (n): \"-1\" is not a whole number of 64 bits");
  EXPECT_EQ(bad([&] { return columns.whole(3, "n"); }), "column 4 (n): \"1x\" is not a whole number of 64 bits");
  EXPECT_EQ(columns.hex(4, "n"), 42U);
  EXPECT_EQ(columns.decimal(5, "n"), 0.5);
  EXPECT_EQ(bad([&] { return columns.decimal(6, "n"); }), "column 7 (n): \"inf\" is not a number");
  EXPECT_EQ(bad([&] { return columns.decimal(7, "n"); }), "column 8 (n): \"\" is not a number");
}

TEST(Columns, count_is_checked_against_the_layout) {
  EXPECT_EQ(bad([] { Columns("a,b", Columns::Separator::comma).expect(3, 3, "x,y,z"); }),
            "2 columns instead of 3 (x,y,z)");
  EXPECT_EQ(bad([] { Columns("a,b", Columns::Separator::comma).expect(1, 2, "x[,y]"); }), "accepted");
}

TEST(Columns, damaged_bytes_are_shown_on_one_printable_line) {
  EXPECT_EQ(excerpt(std::string_view("a\n\0\x80z", 5)), "\"a???z\"");
  EXPECT_EQ(excerpt(std::string(50, 'x')), "\"" + std::string(40, 'x') + "...\"");
}

}  // namespace
}  // namespace ftlab::workloads
