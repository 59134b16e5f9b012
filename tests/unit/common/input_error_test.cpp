// An InputError carries its message unchanged and is told apart from other failures by its type.
#include "common/input_error.h"

#include "gtest/gtest.h"

namespace ftlab {
namespace {

TEST(InputError, message_arrives_unchanged) {
  const std::string message = "study.toml:3: ftl.page_bytes: must be a power of two; use 4096";
  try {
    throw InputError(message);
  } catch (const std::exception& error) {
    EXPECT_EQ(error.what(), message);
  }
}

TEST(InputError, control_characters_become_blanks_so_that_it_is_one_line_and_steers_no_terminal) {
  const InputError error("family: \"flex\nonen\x1b[31mand\x7f\"");
  EXPECT_STREQ(error.what(), "family: \"flex onen [31mand \"");
}

TEST(InputError, control_characters_of_two_bytes_become_blanks_and_letters_stay) {
  EXPECT_STREQ(InputError("a\xc2\x9b"
                          "31m \xc2\xb5s \xc3\x9b")
                   .what(),
               "a 31m \xc2\xb5s \xc3\x9b");
}

TEST(InputError, control_characters_are_found_but_for_line_ends_and_tabs) {
  EXPECT_TRUE(has_control("\x1b[31m"));
  EXPECT_TRUE(has_control("a\x7f"));
  EXPECT_TRUE(has_control("\xc2\x9b"));
  EXPECT_FALSE(has_control("5 \xc2\xb5s,\n\tand \xc3\x9b"));
  EXPECT_FALSE(has_control(""));
  EXPECT_FALSE(has_control("\xc2"));
}

TEST(InputError, long_words_and_long_messages_lose_their_middle) {
  const std::string value(100'000, 'x');
  EXPECT_EQ(InputError("a.toml:3: ftl.selection: unknown '" + value + "'; use cat").what(),
            "a.toml:3: ftl.selection: unknown '" + value.substr(0, 99) + "..." + value.substr(0, 37) + "'; use cat");
  std::string words;
  for (int i = 0; i < 50'000; ++i) words += "y ";
  const std::string shown = InputError("a.toml:3: " + words + "is too much; use cat").what();
  EXPECT_EQ(shown.size(), 1503U);
  EXPECT_TRUE(shown.starts_with("a.toml:3: y y "));
  EXPECT_TRUE(shown.ends_with(" y y is too much; use cat"));
}

TEST(InputError, no_letter_is_cut_in_two) {
  std::string value;
  for (int i = 0; i < 1000; ++i) value += "\xc2\xb5";
  for (const std::string before : {"", "x"}) {
    const std::string shown = InputError(before + value).what();
    const std::size_t dots = shown.find("...");
    EXPECT_EQ(shown.substr(dots - 2, 2), "\xc2\xb5");
    EXPECT_EQ(shown.substr(dots + 3, 2), "\xc2\xb5");
  }
}

TEST(InputError, is_a_runtime_error_that_other_runtime_errors_are_not) {
  EXPECT_THROW(throw InputError("x"), std::runtime_error);
  const std::runtime_error other("x");
  EXPECT_EQ(dynamic_cast<const InputError*>(static_cast<const std::exception*>(&other)), nullptr);
}

}  // namespace
}  // namespace ftlab
