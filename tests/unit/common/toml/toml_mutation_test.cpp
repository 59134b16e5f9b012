// Property: whatever bytes a parameter file holds, reading it either works or throws InputError with one line.
#include <gtest/gtest.h>

#include <algorithm>

#include "common/input_error.h"
#include "common/toml/toml_file.h"
#include "tests/fixtures/mutate.h"

namespace ftlab::spec {
namespace {

using test::below;
using test::damage;

constexpr std::string_view kSeedText =
    "part = \"card\"\nseed = 12\n[ftl]\nutilization = 0.9 # used\nlist = [\"a\", 'b']\non = true\n"
    "[timing.5V]\nerase = { value = 0.6, unit = \"s\", source = \"sheet\", estimate = true }\n";
constexpr std::string_view kTokens[] = {"=",  "[",     "]",    "{",    "}",     "\"",         "'",      "\n",
                                        ".",  "#",     "\\",   "\0",   "1e999", "nan",        "-",      "\xff",
                                        "[[", "value", "unit", "true", "0x",    "1979-05-27", "\"\"\"", "\r"};

void read_everything(const TomlFile& f) {
  (void)f.quantities();
  (void)f.texts("ftl");
  if (f.has("part")) (void)f.get_string("part");
  if (f.has("seed")) (void)f.get_integer("seed", 0, 100);
  if (f.has("ftl.utilization")) (void)f.get_number("ftl.utilization", 0, 1);
  if (f.has("ftl.list")) (void)f.get_strings("ftl.list");
  if (f.has("ftl.on")) (void)f.get_bool("ftl.on");
  if (f.has("timing.5V.erase")) (void)f.get_time("timing.5V.erase");
  f.finish();
}

TEST(TomlMutation, mutated_files_only_ever_raise_one_line_input_errors) {
  boost::random::mt19937 rng(20240501);
  int accepted = 0;
  int refused = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string text(kSeedText);
    for (std::size_t edits = below(rng, 4); edits-- > 0;) damage(text, kTokens, rng);
    try {
      read_everything(TomlFile::parse(text, "m.toml"));
      ++accepted;
    } catch (const InputError& error) {
      const std::string line = error.what();
      EXPECT_EQ(line.rfind("m.toml", 0), 0U) << line;
      EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 0) << line;
      ++refused;
    }
  }
  EXPECT_GT(accepted, 100);
  EXPECT_GT(refused, 100);
}

TEST(TomlMutation, any_override_text_is_taken_or_refused) {
  boost::random::mt19937 rng(7);
  const char* keys[] = {"part",   "seed", "ftl", "ftl.utilization", "timing.5V.erase", "timing.5V.erase.value",
                        "new.key"};
  for (int round = 0; round < 2000; ++round) {
    std::string value;
    for (std::size_t n = below(rng, 5); n-- > 0;) value += kTokens[below(rng, std::size(kTokens))];
    TomlFile f = TomlFile::parse(kSeedText, "m.toml");
    try {
      f.set(keys[below(rng, std::size(keys))], value, "--set");
      read_everything(f);
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()), "");
    }
  }
}

}  // namespace
}  // namespace ftlab::spec
