#include "common/toml/written_number.h"

#include <gmock/gmock.h>

namespace ftlab::spec {
namespace {

double in(std::string_view wanted, std::string_view text) {
  const auto number = written_number(text);
  return number ? value_in(wanted, *number).value_or(-1) : -2;
}

TEST(WrittenNumber, is_a_number_with_something_behind) {
  EXPECT_EQ(written_number("16KiB")->value, 16);
  EXPECT_EQ(written_number("16KiB")->unit, "KiB");
  EXPECT_EQ(written_number(" +1.5e3  ms"), std::nullopt) << "begins with its number";
  EXPECT_EQ(written_number("+1.5e3  ms ")->unit, "ms");
  for (const char* none : {"", "16", "KiB", "inf s", "nan s", "1e999 s", "-"})
    EXPECT_EQ(written_number(none), std::nullopt) << none;
}

TEST(WrittenNumber, is_converted_with_one_rounding) {
  EXPECT_EQ(in("bytes", "16KiB"), 16384);
  EXPECT_EQ(in("MiB", "2GiB"), 2048);
  EXPECT_EQ(in("MiB", "1 B"), 1.0 / 1048576);
  EXPECT_EQ(in("s", "15 ms"), 0.015);
  EXPECT_EQ(in("ms", "7 us"), 0.007);
  EXPECT_EQ(in("s", "2 days"), 172800);
  EXPECT_EQ(in("1", "57 %"), 0.57);
  EXPECT_EQ(in("Wh", "36 J"), 0.01);
  EXPECT_EQ(in("MiB/h", "1 KiB/s"), 3.515625);
  EXPECT_EQ(in("mJ/MiB", "2 J/GiB"), 2000.0 / 1024);
  EXPECT_EQ(in("segments", "12 segments"), 12);
}

TEST(WrittenNumber, another_kind_of_unit_is_none) {
  EXPECT_EQ(in("bytes", "5 ms"), -1);
  EXPECT_EQ(in("segments", "12 pages"), -1);
  EXPECT_EQ(in("segments", "12 %"), -1);
  EXPECT_EQ(in("1", "5 segments"), -1);
  EXPECT_EQ(in("MiB/h", "5 MiB"), -1);
  EXPECT_EQ(in("MiB/h", "5 s/h"), -1);
  EXPECT_EQ(in("bytes", "5 kib"), -1);
}

TEST(WrittenNumber, factors_are_exact) {
  EXPECT_EQ(factor_text("KiB", "bytes"), "1024");
  EXPECT_EQ(factor_text("ms", "s"), "1/1000");
  EXPECT_EQ(factor_text("KiB/s", "MiB/h"), "3600/1024");
  EXPECT_EQ(factor_text("%", "1"), "1/100");
  EXPECT_THROW((void)factor_text("ms", "bytes"), std::logic_error);
}

}  // namespace
}  // namespace ftlab::spec
