#include "common/toml/whole_number.h"

#include <gtest/gtest.h>

#include "tests/fixtures/error_text.h"

namespace ftlab::spec {
namespace {

using test::error_text;

TEST(WholeNumber, fraction_is_refused_and_a_unit_named_where_there_is_one) {
  const TomlFile file = TomlFile::parse(
      "channels = { value = 1.5, unit = \"1\", source = \"sheet\" }\nsize = { value = 1.5, unit = \"KiB\", source = "
      "\"sheet\" }\n",
      "p.toml");
  EXPECT_EQ(error_text([&] { (void)whole_number(file, "channels", "1", 1, 8); }),
            "p.toml:1: channels: must be a whole number");
  EXPECT_EQ(error_text([&] { (void)whole_number(file, "size", "KiB", 1, 8); }),
            "p.toml:2: size: must be a whole number of KiB");
  EXPECT_EQ(whole_number(file, "size", "B", 1, 4096), 1536U);
}

}  // namespace
}  // namespace ftlab::spec
